import { domainToASCII } from 'node:url'
import { unwrapEmail } from '@latchkey/wire'

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z])[a-z0-9-]{2,63}$/

/**
 * Normalises a typed or pasted e-mail address to the form that is stored and mailed: NFKC, lower case, the domain in ASCII (IDNA).
 * Characters that mail programs put around an address are removed. Undefined for invisible or quoted characters and for several recipients. `a.b` and `ab` are different mailboxes, even if a provider treats them as one.
 */
export function normaliseEmail(text: string): string | undefined {
  const bare = unwrapEmail(text)
  if (text.length > 320 || /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(bare)) return undefined
  const parts = bare.split('@')
  const [name = '', host = ''] = parts
  if (parts.length !== 2 || name.length > 64) return undefined
  const address = `${name.toLowerCase()}@${domainToASCII(host)}`
  const [checkedName = '', checkedHost = ''] = address.split('@')
  const good = local.test(checkedName) && domain.test(checkedHost) && address.length <= 254
  return good ? address : undefined
}
