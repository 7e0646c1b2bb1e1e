import { canParseUrl } from '@latchkey/wire'
/**
 * The content of a sign-in message (EIP-4361, and its form for Solana, which may leave out the
 * URI).
 */
export type ParsedSignIn = {
  network: 'Ethereum' | 'Solana'
  scheme: string | undefined
  domain: string
  address: string
  uri: string | undefined
  chainId: string | undefined
  /** Whether the message contains capabilities (EIP-5573). */
  givesRights: boolean
}

const opening =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/?#@]+) wants you to sign in with your (Ethereum|Solana) account:\n([^\n]+)(?:\n|$)/
const suggestive = /wants\s+you\s+to\s+sign\s+in\s+with\s+your/i
const fieldLine = /^(?:URI|Chain ID): /

/**
 * Parses the fields of a sign-in message by their position: the last `URI: ` line begins them, and
 * the lines before it are the statement. `none`: the message is not a sign-in. `broken`: the
 * message looks like a sign-in but does not have the required form.
 */
export function readSignIn(text: string): ParsedSignIn | 'none' | 'broken' {
  if (!suggestive.test(text.normalize('NFKC').replace(/\p{Cf}/gu, ''))) return 'none'
  const [, scheme, domain = '', network, address = ''] = opening.exec(text) ?? []
  const lines = text.split('\n').slice(2)
  const uriAt = lines.findLastIndex((line) => line.startsWith('URI: '))
  if (network === undefined || (uriAt < 0 && network !== 'Solana')) return 'broken'
  const begin = uriAt < 0 ? lines.lastIndexOf('') + 1 : uriAt
  const statement = lines.slice(0, begin).filter((line) => line !== '')
  const fields = lines.slice(begin)
  const chainIds = fields.filter((line) => line.startsWith('Chain ID: '))
  // A field that appears twice may mean one thing to us and another to the site.
  if (chainIds.length > 1 || (statement.length > 1 && statement.some((one) => fieldLine.test(one))))
    return 'broken'
  return {
    network: network as ParsedSignIn['network'],
    scheme,
    domain,
    address,
    uri: uriAt < 0 ? undefined : fields[0]?.slice('URI: '.length),
    chainId: chainIds[0]?.slice('Chain ID: '.length),
    givesRights: fields.some((line) => line.startsWith('- urn:recap:')),
  }
}

/**
 * The place that a sign-in is for, compared with the page that requests it. `page`: the same host
 * and port, and a URI of the page's origin. `site`: the same host and port, with another scheme or
 * with a URI elsewhere on the site. `elsewhere`: another site.
 */
export function comparePlace(
  { scheme, domain, uri }: Pick<ParsedSignIn, 'scheme' | 'domain' | 'uri'>,
  origin: string,
): 'page' | 'site' | 'elsewhere' {
  const page = new URL(origin)
  const usualPort = page.protocol === 'https:' ? ':443' : ':80'
  if (domain !== page.host && (page.port !== '' || domain !== page.host + usualPort))
    return 'elsewhere'
  const isSameScheme = scheme === undefined || `${scheme}:` === page.protocol
  if (uri === undefined) return isSameScheme ? 'page' : 'site'
  if (!canParseUrl(uri)) return 'elsewhere'
  const named = new URL(uri)
  if (named.origin === origin) return isSameScheme ? 'page' : 'site'
  return named.hostname === '' || isSameSite(named.hostname, page.hostname) ? 'site' : 'elsewhere'
}

/** Whether two hosts are equal, or either is a subdomain of the other. */
const isSameSite = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
