import { isIP } from 'node:net'
import { LatchkeyError } from '@latchkey/wire'

/**
 * The target of a URL. `host` is in the form used for dialing: an IPv6 address without brackets.
 */
export type Target = {
  readonly url: URL
  readonly host: string
  readonly port: number
  /** Whether the operator allows it. Then http and any address are permitted. */
  readonly trusted: boolean
}

const maxCharacters = 2048

/**
 * `allow`: each `host:port` for which http and other ports are fine. `ownNames`: the names of this
 * server.
 */
export type OutboundRules = {
  readonly allow: ReadonlySet<string>
  readonly ownNames: ReadonlySet<string>
}

/**
 * Reads an untrusted URL. Throws OUTBOUND_REFUSED if it is not https on port 443, carries
 * credentials, or leads back to this server.
 */
export function readTarget(text: string, { allow, ownNames }: OutboundRules): Target {
  if (text.length > maxCharacters) throw outboundRefused('a URL', 'it is too long')
  if (!URL.canParse(text)) throw outboundRefused('a URL', 'it is not valid')
  const url = new URL(text)
  url.hash = ''
  const web = url.protocol === 'https:' || url.protocol === 'http:'
  if (!web) throw outboundRefused(url.protocol, 'only https is')
  const { hostname } = url
  if (url.username !== '' || url.password !== '')
    throw outboundRefused(hostname, 'it carries credentials')
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port)
  if (port === undefined || hostname === '') throw outboundRefused('a URL', 'it names no host')
  const host = toDialHost(hostname)
  const trusted = allow.has(`${hostname}:${port}`)
  if (!trusted && url.protocol !== 'https:') throw outboundRefused(hostname, 'only https is')
  if (!trusted && ownNames.has(hostname.replace(/\.$/, '')))
    throw outboundRefused(hostname, 'it is this server')
  if (!trusted && port !== 443) throw outboundRefused(hostname, `port ${port} is not open to it`)
  return { url, host, port, trusted }
}

/** The host name of a URL in the form used for dialing: an IPv6 address without brackets. */
export const toDialHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/**
 * The site of a host, which represents its owner: the last two labels of the name, because the
 * owner of a name owns all names below it. All bare addresses count as one site. Each of the
 * `named` hosts is a separate site.
 */
export function getSite(host: string, named: ReadonlySet<string>): string {
  if (named.has(host)) return host
  return isIP(host) === 0 ? host.split('.').filter(Boolean).slice(-2).join('.') : 'an address'
}

/** The error that explains why no request to `host` was made. */
export const outboundRefused = (host: string, reason: string) =>
  new LatchkeyError('OUTBOUND_REFUSED', { data: { host, reason } })

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }
