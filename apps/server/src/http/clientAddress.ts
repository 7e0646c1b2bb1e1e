import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** The origin of a request: the address of the connection, and the addresses that proxies added. */
export type Origin = {
  readonly socketAddress: string | undefined
  readonly forwardedFor: string | undefined
}

/**
 * The client's address, for limits. Of `X-Forwarded-For` only the entries of the operator's
 * `trustedProxies` are believed: the hop before them, counted from the right, in any spelling of an
 * address. An IPv6 address counts by its /64, which belongs to one customer.
 */
export function clientAddress(origin: Origin, trustedProxies: number): string {
  const ip = clientIp(origin, trustedProxies)
  return isIP(ip) === 6 ? toNetwork(ip, 64) : ip
}

/** The client's network, in the size that usually has one owner: an IPv4 /24 or an IPv6 /48. */
export function clientNetwork(origin: Origin, trustedProxies: number): string {
  const ip = clientIp(origin, trustedProxies)
  if (isIP(ip) === 4) return ip.replace(/\d+$/, '0/24')
  return isIP(ip) === 6 ? toNetwork(ip, 48) : ip
}

/**
 * The whole address of the client, as {@link clientAddress} finds it, in the spelling of
 * {@link toCanonical}.
 */
export function clientIp({ socketAddress, forwardedFor }: Origin, trustedProxies: number): string {
  const entry = getEntry(forwardedFor, trustedProxies)
  const forwarded = entry === undefined ? undefined : readEntry(entry)
  return forwarded ?? toCanonical(socketAddress ?? '') ?? 'unknown'
}

/**
 * Whether the entry of `X-Forwarded-For` that counts is an address; true if the header is absent or
 * not used.
 */
export function readsForwarded({ forwardedFor }: Origin, trustedProxies: number): boolean {
  const entry = getEntry(forwardedFor, trustedProxies)
  return entry === undefined || readEntry(entry) !== undefined
}

/**
 * The entry of our outermost proxy. Empty entries of the list do not count (RFC 9110, section
 * 5.6.1).
 */
function getEntry(forwardedFor: string | undefined, trustedProxies: number): string | undefined {
  if (trustedProxies === 0 || forwardedFor === undefined) return undefined
  const entries = forwardedFor.split(',').filter((entry) => entry.trim() !== '')
  return entries.at(-trustedProxies) ?? entries[0]
}

/** Whether an address is of this machine. */
export const isLoopback = (address: string): boolean =>
  /^127\.|^::1$/.test(toCanonical(address) ?? '')

/**
 * The address in an entry of `X-Forwarded-For`; undefined if the entry has no address. Proxies add
 * ports and brackets (`203.0.113.7:443`, `[2001:db8::7]:443`), and some write an element of
 * `Forwarded` (RFC 7239), for example `for="[2001:db8::7]:443";proto=https`.
 */
function readEntry(entry: string): string | undefined {
  const [, node = entry] = /(?:^|;)\s*for=([^;]*)/i.exec(entry) ?? []
  const text = node.trim().replace(/^"(.*)"$/, '$1')
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(text) ?? []
  if (inBrackets !== undefined) return toCanonical(inBrackets)
  return toCanonical(text) ?? toCanonical(text.replace(/:\d*$/, ''))
}

/**
 * An IP address in the one spelling that limits count: IPv6 in lower case, shortened and without a
 * zone, and an IPv4 address that is mapped into IPv6 as plain IPv4. Undefined for a string that is
 * not an address.
 */
function toCanonical(address: string): string | undefined {
  if (isIP(address) === 4) return address
  const [withoutZone = ''] = address.split('%')
  if (isIP(withoutZone) !== 6) return undefined
  const short = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short)?.slice(1)
  if (mapped === undefined) return short
  return mapped
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** The origin of a request to Node's server. */
export const getOrigin = (request: IncomingMessage): Origin => ({
  socketAddress: request.socket.remoteAddress,
  forwardedFor: getHeader(request, 'x-forwarded-for'),
})

/** A header of a request to Node's server. If it is repeated, the first value counts. */
export function getHeader(
  { headers }: IncomingMessage | Http2ServerRequest,
  name: string,
): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value[0] : value
}

/**
 * As {@link getHeader}, for a request that the framework answers: it would copy all headers before
 * it finds one.
 */
export function readHeader(
  c: Context<{ Bindings: Partial<HttpBindings> }>,
  name: string,
): string | undefined {
  const incoming = c.env?.incoming
  return incoming === undefined ? c.req.header(name) : getHeader(incoming, name)
}

function toNetwork(address: string, bits: 48 | 64): string {
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right ? right.split(':') : []
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  const network = groups.slice(0, bits / 16).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/${bits}`
}
