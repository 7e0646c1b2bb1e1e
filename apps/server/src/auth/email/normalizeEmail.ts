import { domainToASCII } from 'node:url'
import { unwrapEmail } from '@latchkey/wire'

/**
 * Allows dots anywhere (old addresses of mobile carriers have them), and letters of every script.
 */
const local = /^(?=.*[^.])(?!\p{M})[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z])[a-z0-9-]{2,63}$/

/**
 * Normalizes a typed or pasted email address to the form that is stored and mailed: NFKC, lower
 * case, the domain in ASCII (IDNA). Characters that mail programs put around an address are
 * removed. The part before the @ has letters of any script and dots anywhere; the mailer quotes it
 * if it has to. Undefined for invisible characters, for characters that are valid only in a quoted
 * part, and for several recipients. `a.b` and `ab` are different mailboxes, even if a provider
 * treats them as one.
 */
export function normalizeEmail(text: string): string | undefined {
  const bare = unwrapEmail(text)
  if (text.length > 320 || /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(bare)) return undefined
  const parts = bare.split('@')
  const [name = '', host = ''] = parts
  const lowered = name.toLowerCase().normalize('NFKC')
  if (parts.length !== 2 || Buffer.byteLength(lowered) > 64) return undefined
  const site = domainToASCII(host)
  // NFKC can introduce characters, such as an @ from a full-width @, so the normalized string is
  // checked.
  const isStable = lowered === lowered.toLowerCase().normalize('NFKC')
  const address = `${lowered}@${site}`
  const isShort = Buffer.byteLength(address) <= 254
  const good = local.test(lowered) && domain.test(site) && isStable && isShort
  return good ? address : undefined
}
