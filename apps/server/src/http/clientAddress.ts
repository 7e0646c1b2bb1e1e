import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Where a request came from, as it is seen and as it is said. */
export type Origin = {
  readonly socketAddress: string | undefined
  readonly forwardedFor: string | undefined
}

/**
 * The address a request came from, for limits. `X-Forwarded-For` counts only as far as `trustedProxies` of ours have
 * written it: the hop before them, from the right. IPv6 counts by its /64, which one customer has whole.
 */
export function clientAddress(
  { socketAddress, forwardedFor }: Origin,
  trustedProxies: number,
): string {
  const hops = forwardedFor?.split(',').map((hop) => hop.trim()) ?? []
  const hop = trustedProxies > 0 ? (hops.at(-trustedProxies) ?? hops[0]) : undefined
  const address = hop !== undefined && isIP(hop) ? hop : (socketAddress ?? 'unknown')
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(plain) === 6 ? networkOf(plain) : plain
}

/** Where a request to Node's server came from. */
export const originOf = (request: IncomingMessage): Origin => ({
  socketAddress: request.socket.remoteAddress,
  forwardedFor: headerOf(request, 'x-forwarded-for'),
})

/** A header of a request to Node's server; the first where there are several. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'object' ? value[0] : value
}

function networkOf(address: string): string {
  const [left = '', right] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right ? right.split(':') : []
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
