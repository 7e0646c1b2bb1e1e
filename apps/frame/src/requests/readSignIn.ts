/** The content of a sign-in message (EIP-4361, and its form for Solana). */
export type SignIn = {
  network: 'Ethereum' | 'Solana'
  scheme: string | undefined
  domain: string
  address: string
  uri: string
  chainId: string | undefined
  /** It carries capabilities (EIP-5573). */
  givesRights: boolean
}

const opening =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/?#@]+) wants you to sign in with your (Ethereum|Solana) account:\n([^\n]+)\n/
const suggestive = /wants\s+you\s+to\s+sign\s+in\s+with\s+your/i

/** `none`: not a sign-in. `broken`: it looks like one to people but does not have the required form. */
export function readSignIn(text: string): SignIn | 'none' | 'broken' {
  if (!suggestive.test(text.normalize('NFKC').replace(/\p{Cf}/gu, ''))) return 'none'
  const parts = opening.exec(text)
  const field = (name: string) =>
    (text.match(new RegExp(`^${name}: (.*)$`, 'gm')) ?? []).map((line) =>
      line.slice(name.length + 2),
    )
  const [uris, chainIds] = [field('URI'), field('Chain ID')]
  // A field that appears twice may mean one thing to us and another to the site.
  if (!parts || uris.length !== 1 || chainIds.length > 1) return 'broken'
  const [, scheme, domain = '', network, address = ''] = parts
  return {
    network: network as SignIn['network'],
    scheme,
    domain,
    address,
    uri: uris[0] ?? '',
    chainId: chainIds[0],
    givesRights: /^- urn:recap:/m.test(text),
  }
}

/**
 * Whether the sign-in is for the page that requests it: same host and port, same scheme if it names one, same URI
 * origin.
 */
export function isFor({ scheme, domain, uri }: SignIn, origin: string): boolean {
  const page = new URL(origin)
  if (domain !== page.host) return false
  if (scheme !== undefined && `${scheme}:` !== page.protocol) return false
  return URL.canParse(uri) && new URL(uri).origin === origin
}
