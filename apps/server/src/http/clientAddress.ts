import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** Where a request came from: the address of the connection, and the addresses that proxies added. */
export type Origin = {
  readonly socketAddress: string | undefined
  readonly forwardedFor: string | undefined
}

/**
 * The client's address, for limits. Of `X-Forwarded-For` only the entries of our own `trustedProxies` are believed: the hop
 * before them, counted from the right, with or without a port. An IPv6 address counts by its /64, which belongs to one customer.
 */
export function clientAddress(origin: Origin, trustedProxies: number): string {
  const ip = clientIp(origin, trustedProxies)
  return isIP(ip) === 6 ? toNetwork(ip, 64) : ip
}

/** The network that the client's address is of, as one owner usually has it: an IPv4 /24 or an IPv6 /48. */
export function clientNetwork(origin: Origin, trustedProxies: number): string {
  const ip = clientIp(origin, trustedProxies)
  if (isIP(ip) === 4) return ip.replace(/\d+$/, '0/24')
  return isIP(ip) === 6 ? toNetwork(ip, 48) : ip
}

/** The whole address of the client, as {@link clientAddress} finds it. */
export function clientIp({ socketAddress, forwardedFor }: Origin, trustedProxies: number): string {
  const hop = getHop(forwardedFor, trustedProxies)
  const address = hop !== undefined && isIP(hop) ? hop : (socketAddress ?? 'unknown')
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Whether the entry of `X-Forwarded-For` that counts is an address; true if the header is absent or not used. */
export function readsForwarded({ forwardedFor }: Origin, trustedProxies: number): boolean {
  const hop = getHop(forwardedFor, trustedProxies)
  return hop === undefined || isIP(hop) !== 0
}

function getHop(forwardedFor: string | undefined, trustedProxies: number): string | undefined {
  if (trustedProxies === 0 || forwardedFor === undefined) return undefined
  const hops = forwardedFor.split(',').map(withoutPort)
  return hops.at(-trustedProxies) ?? hops[0]
}

/** Whether an address is of this machine. */
export const isLoopback = (address: string): boolean =>
  /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i.test(address)

/** An entry of `X-Forwarded-For` without the port and the brackets that some proxies add, as in `203.0.113.7:443` and `[2001:db8::7]:443`. */
function withoutPort(entry: string): string {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, address = text] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  return address
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

/** As {@link getHeader}, for a request that the framework answers: it would copy all headers before it finds one. */
export function readHeader(
  c: Context<{ Bindings: Partial<HttpBindings> }>,
  name: string,
): string | undefined {
  const incoming = c.env?.incoming
  return incoming === undefined ? c.req.header(name) : getHeader(incoming, name)
}

function toNetwork(address: string, bits: 48 | 64): string {
  const [left = '', right] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right ? right.split(':') : []
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  const network = groups.slice(0, bits / 16).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/${bits}`
}
