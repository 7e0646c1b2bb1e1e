import { type Data, parseDataUrl } from './parseDataUrl.ts'

/** The location of an NFT's metadata or picture: a URL, or the URI itself. */
export type UriTarget =
  | { readonly url: string }
  | { readonly data: Data }
  | { readonly reason: string }

const maxUrl = 2_048
/** The longest URI that holds everything itself, percent-encoded or in base64. */
const maxData = 3 * 1024 * 1024

/**
 * Where a token URI or the URI of an image leads: `https:`, `data:`, `ipfs:` (also with `ipfs/` doubled, or as a bare CID)
 * through `ipfsGateway`. `reason` says why it leads nowhere.
 */
export function parseUri(uri: string, ipfsGateway: string | undefined): UriTarget {
  const text = uri.trim()
  if (/^data:/i.test(text)) {
    if (text.length > maxData) return { reason: 'a data URL that is too long' }
    const data = parseDataUrl(text)
    return data ? { data } : { reason: 'a data URL that cannot be read' }
  }
  if (text.length > maxUrl) return { reason: 'a URI that is too long' }
  const path = ipfsPath(text)
  if (path !== undefined) return throughGateway(path, ipfsGateway)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return { reason: 'no URI of a known kind' }
  return { url: new URL(text).href }
}

/**
 * The URI of one id from the URI of an ERC-1155 contract: `{id}` is 64 hex digits (EIP-1155, metadata). One that is too
 * long stays as it is: it would grow sixteenfold.
 */
export const fillId = (uri: string, tokenId: bigint) =>
  uri.length > maxData ? uri : uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0'))

const cid = `(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,}|f[0-9a-f]{50,}|z[1-9A-HJ-NP-Za-km-z]{48,})`
const bare = new RegExp(`^(${cid}(?:[/?#].*)?)$`, 's')
const schemePattern = new RegExp(`^ipfs:/*(?:ipfs/+)*(${cid}(?:[/?#].*)?)$`, 'is')

/** A CID with its path, or undefined if the text is not an IPFS URI. */
function ipfsPath(text: string): string | undefined {
  const found = bare.exec(text)?.[1] ?? schemePattern.exec(text)?.[1]
  if (found === undefined) return /^ipfs:/i.test(text) ? '' : undefined
  return found
}

function throughGateway(path: string, gateway: string | undefined): UriTarget {
  if (path === '') return { reason: 'an IPFS URI without a CID' }
  if (gateway === undefined) return { reason: 'no gateway configured' }
  const base = /\/ip[fn]s$/.test(gateway) ? gateway : `${gateway}/ipfs`
  const url = URL.canParse(`${base}/${path}`) ? new URL(`${base}/${path}`) : undefined
  // Dots must not lead out of the gateway's own content.
  if (url === undefined || !url.href.startsWith(`${new URL(base).href}/`))
    return { reason: 'an IPFS URI that leads elsewhere' }
  return { url: url.href }
}
