import { networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'
import { isLoopbackOrigin } from '../projects/originAllowed.ts'

/**
 * The URLs of this relay that a client's token may name as audience: the public URL, the addresses
 * it listens on, and additional addresses of the operator, each as WebSocket and as HTTP URL.
 */
export function relayAudiences({
  host,
  port,
  publicUrl,
  relay,
}: Pick<Config, 'host' | 'port' | 'publicUrl' | 'relay'>): string[] {
  const open = host === '0.0.0.0' || host === '::'
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const hosts = [
    ...(open ? interfaces.map(({ address }) => address.split('%')[0] ?? '') : [host]),
    ...loopback,
  ]
  const listened = hosts.map((name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`)
  const publicAddress = new URL(publicUrl)
  const local = isLoopbackOrigin(publicUrl)
    ? loopback.map(
        (name) =>
          `${publicAddress.protocol}//${name.includes(':') ? `[${name}]` : name}:${publicAddress.port}`,
      )
    : []
  const ownAudiences = [publicUrl, ...listened, ...local]
  return [
    ...new Set([
      ...ownAudiences.flatMap((url) => [url, url.replace(/^http/, 'ws')]),
      ...relay.audiences,
    ]),
  ]
}

const loopback = ['127.0.0.1', 'localhost', '::1']
