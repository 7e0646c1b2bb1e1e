/** The fields of a message that differ from login to login. */
export type SignInMessage = {
  readonly domain: string
  readonly address: string
  readonly uri: string
  readonly nonce: string
  readonly fid: bigint
  readonly expiresAtMs: number | undefined
  readonly notBeforeMs: number | undefined
}

// Sign In With Farcaster (FIP-11): EIP-4361 with this statement, OP Mainnet's chain id, and the fid
// as a resource.
const form = new RegExp(
  [
    '^(?<domain>[^\\s/]+) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    'Farcaster Auth',
    '',
    'URI: (?<uri>\\S+)',
    'Version: 1',
    'Chain ID: 10',
    'Nonce: (?<nonce>[a-zA-Z0-9]{8,100})',
    'Issued At: (?<issuedAt>\\S+)',
  ].join('\n') +
    '(?:\nExpiration Time: (?<expires>\\S+))?(?:\nNot Before: (?<notBefore>\\S+))?(?:\nRequest ID: \\S*)?' +
    '\nResources:(?<resources>(?:\n- \\S+)+)$',
)
const fidResource = /^farcaster:\/\/fid\/([1-9][0-9]{0,18})\/?$/

/** Reads a message in exactly the form that Farcaster apps sign; undefined for any other text. */
export function readSignInMessage(text: string): SignInMessage | undefined {
  const groups = form.exec(text)?.groups
  if (!groups) return undefined
  const { domain = '', address = '', uri = '', nonce = '', resources = '' } = groups
  const fids = resources.split('\n- ').filter((resource) => resource.startsWith('farcaster:'))
  const fid = fidResource.exec(fids[0] ?? '')?.[1]
  const times = [groups.expires, groups.notBefore].map((time) => time && Date.parse(time))
  if (fids.length !== 1 || fid === undefined || times.some(Number.isNaN)) return undefined
  const [expiresAtMs, notBeforeMs] = times.map((time) => time || undefined) as (
    | number
    | undefined
  )[]
  return { domain, address, uri, nonce, fid: BigInt(fid), expiresAtMs, notBeforeMs }
}
