import { isIP } from 'node:net'
import { LatchkeyError } from '@latchkey/wire'

/** Where a URL leads: `host` as it is dialled, an IPv6 address without brackets. */
export type Target = {
  readonly url: URL
  readonly host: string
  readonly port: number
  /** Allowed by the operator: http or https, any address. */
  readonly trusted: boolean
}

const maxCharacters = 2048

/** `allow` are the `host:port` to which http and other ports are fine; `ownNames` are those of this server. */
export type OutboundRules = {
  readonly allow: ReadonlySet<string>
  readonly ownNames: ReadonlySet<string>
}

/**
 * Reads a URL that somebody outside has written. Throws OUTBOUND_REFUSED for what is not https on its own port or has
 * credentials, or leads back to this server.
 */
export function readTarget(text: string, { allow, ownNames }: OutboundRules): Target {
  if (text.length > maxCharacters) throw outboundRefused('a URL', 'it is too long')
  if (!URL.canParse(text)) throw outboundRefused('a URL', 'it is none')
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

/** The host name of a URL as it is dialled: an IPv6 address without brackets. */
export const toDialHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/**
 * Whose a host is, as far as it can be seen: the last two labels of its name, for one who has a name has all the names
 * below it. Addresses are all one; `named` ones are for themselves.
 */
export function getSite(host: string, named: ReadonlySet<string>): string {
  if (named.has(host)) return host
  return isIP(host) === 0 ? host.split('.').filter(Boolean).slice(-2).join('.') : 'an address'
}

/** Why nothing was asked of `host`. */
export const outboundRefused = (host: string, reason: string) =>
  new LatchkeyError('OUTBOUND_REFUSED', { data: { host, reason } })

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }
