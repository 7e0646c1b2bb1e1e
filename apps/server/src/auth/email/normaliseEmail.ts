import { domainToASCII } from 'node:url'
import { unwrapEmail } from '@latchkey/wire'

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z])[a-z0-9-]{2,63}$/

/**
 * The one mailbox a text names, without what surrounds it where it was copied, in the form it is kept and written to, or undefined: NFKC, lower case, the domain in
 * ASCII (IDNA). Nothing invisible, nothing quoted, one recipient. `a.b` and `ab` are different mailboxes, even if a provider treats them as one.
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
