import type { Config } from '../config.ts'
import { type Data, parseDataUrl } from './parseDataUrl.ts'

/**
 * The location of an NFT's metadata or picture: a URL, or the URI itself. `root`: the part of the
 * URL that relative URIs cannot leave, which is the host, or the content that a gateway serves.
 */
export type UriTarget = UriLocation | { readonly data: Data } | { readonly reason: string }
type UriLocation = { readonly url: string; readonly root: string }

/** The gateways that the operator named. */
export type Gateways = Pick<Config, 'ipfsGateway' | 'arweaveGateway'>

const maxUrl = 2_048
/** The longest URI that contains its content, percent-encoded or in base64. */
const maxData = 3 * 1024 * 1024

/**
 * Finds the target of a token URI or of an image's URI. Accepts `https:`, `data:`, and bare JSON or
 * SVG; through a gateway `ar:`, `ipfs:` and `ipns:` (also as `/ipfs/` or `ipfs/`, with `ipfs/`
 * doubled, or as a bare CID). Other URIs are relative to `base`, the URL of the document with the
 * URI. `reason` explains a missing target.
 */
export function parseUri(uri: string, gateways: Gateways, base?: UriLocation): UriTarget {
  const text = uri.trim()
  if (/^(?:data:|[[{<])/i.test(text)) {
    if (text.length > maxData) return { reason: 'a data URL that is too long' }
    const data = readInline(text) ?? parseDataUrl(text)
    return data ? { data } : { reason: 'a data URL that cannot be read' }
  }
  if (text.length > maxUrl) return { reason: 'a URI that is too long' }
  const gatewayed = throughIpfs(text, gateways) ?? throughArweave(text, gateways)
  if (gatewayed !== undefined) return gatewayed
  if (base !== undefined && text !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(text))
    return resolveAt(text, base)
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return { reason: 'not a URI of a known kind' }
  return toPlace(new URL(text))
}

/**
 * The URI of one id from the URI of an ERC-1155 contract: `{id}` is 64 hex digits (EIP-1155,
 * metadata). A URI that is too long stays unchanged, because it would grow sixteenfold.
 */
export const fillId = (uri: string, tokenId: bigint) =>
  uri.length > maxData ? uri : uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0'))

const toPlace = ({ href, origin }: URL): UriLocation => ({ url: href, root: origin })

/** JSON or an SVG without a URL around it. */
function readInline(text: string): Data | undefined {
  if (/^data:/i.test(text)) return undefined
  const type = text.startsWith('<') ? 'image/svg+xml' : 'application/json'
  return { type, bytes: Buffer.from(text) }
}

const cid = `(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,}|B[A-Z2-7]{58,}|f[0-9a-f]{50,}|k[0-9a-z]{48,}|z[1-9A-HJ-NP-Za-km-z]{48,})`
const rest = '(?:[/?#].*)?'
const bareCid = new RegExp(`^(?<path>${cid}${rest})$`, 's')
const ipfsUri = new RegExp(`^(?:ipfs:/*|dweb:/*|/)?(?:ipfs/+)*(?<path>${cid}${rest})$`, 'is')
const ipnsUri = new RegExp(
  `^(?:(?:dweb:/*|/)?ipns/+|ipns:/*(?:ipns/+)*)(?<path>[\\w-][\\w.-]*${rest})$`,
  'is',
)

/** Finds the path of IPFS or IPNS content; undefined for other URIs. */
function throughIpfs(text: string, { ipfsGateway }: Gateways): UriTarget | undefined {
  const host = ipfsGateway?.replace(/\/ip[fn]s$/, '')
  const ipfs =
    bareCid.exec(text) ?? (/^(?:ipfs|dweb):|^\/?ipfs\//i.test(text) && ipfsUri.exec(text))
  if (ipfs) return throughGateway(ipfs.groups?.path, host && `${host}/ipfs`)
  const ipns = ipnsUri.exec(text)
  if (ipns) return throughGateway(ipns.groups?.path, host && `${host}/ipns`)
  return /^ip[fn]s:/i.test(text) ? { reason: 'an IPFS URI without a CID' } : undefined
}

const arweaveUri = new RegExp(`^(?:ar|arweave):/*(?<path>[\\w-]{43}${rest})$`, 'is')

function throughArweave(text: string, { arweaveGateway }: Gateways): UriTarget | undefined {
  if (!/^(?:ar|arweave):/i.test(text)) return undefined
  const path = arweaveUri.exec(text)?.groups?.path
  return path === undefined
    ? { reason: 'an Arweave URI without an id' }
    : throughGateway(path, arweaveGateway)
}

function throughGateway(path = '', gateway: string | undefined): UriTarget {
  if (gateway === undefined) return { reason: 'no gateway configured' }
  const url = URL.canParse(`${gateway}/${path}`) ? new URL(`${gateway}/${path}`) : undefined
  const [content = ''] = path.split(/[/?#]/)
  const root = `${new URL(gateway).href.replace(/\/$/, '')}/${content}`
  // Dots must not lead out of the gateway's own content.
  if (
    url === undefined ||
    !/^(?:[/?#]|$)/.test(url.href.slice(root.length)) ||
    !url.href.startsWith(root)
  )
    return { reason: 'a URI that leads elsewhere' }
  return { url: url.href, root }
}

/**
 * Resolves a relative URI. Each gateway path counts as a host, so a path from `/` begins within
 * that content.
 */
function resolveAt(text: string, { url, root }: UriLocation): UriTarget {
  const own = 'https://own.invalid'
  const from = `${own}${url.slice(root.length).replace(/^(?!\/)/, '/')}`
  if (!URL.canParse(text, from)) return { reason: 'not a URI of a known kind' }
  const at = new URL(text, from)
  if (at.origin !== own) return toPlace(at)
  return { url: `${root}${at.pathname}${at.search}`, root }
}
