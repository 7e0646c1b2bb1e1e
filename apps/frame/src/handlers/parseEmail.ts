import { LatchkeyError } from '@latchkey/wire'

/**
 * The one mailbox a text names, all in ASCII, as the server keeps it and writes to it: what a person is shown is what is used. A
 * domain in other letters is shown as what it stands for (`xn--…`). Throws EMAIL_INVALID.
 */
export function parseEmail(text: string): string {
  const [name = '', host = '', ...more] = text.normalize('NFKC').trim().toLowerCase().split('@')
  const domain = readHost(host)
  if (more.length > 0 || !/^[!-~]+$/.test(name) || domain === undefined)
    throw new LatchkeyError('EMAIL_INVALID')
  return `${name}@${domain}`
}

/** A host alone, in ASCII: the browser knows how. */
function readHost(text: string): string | undefined {
  const address = `https://${text}`
  if (text === '' || !URL.canParse(address)) return undefined
  const { hostname, href } = new URL(address)
  return href === `https://${hostname}/` && /^[a-z0-9.-]+$/.test(hostname) ? hostname : undefined
}
