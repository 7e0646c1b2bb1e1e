import type { IncomingMessage } from 'node:http'
import type { Services } from '../services.ts'
import { getOrigin, readsForwarded } from './clientAddress.ts'

/**
 * Logs once if the entry of `X-Forwarded-For` that should be the client's address is not an
 * address: limits then count the proxy as one client, which nothing else would show. Like all logs,
 * this entry contains no address.
 */
export function createProxyCheck({ config, log }: Pick<Services, 'config' | 'log'>) {
  let isLogged = false
  return (request: IncomingMessage): void => {
    if (isLogged || readsForwarded(getOrigin(request), config.trustedProxies)) return
    isLogged = true
    log.warn(
      { trustedProxies: config.trustedProxies },
      'X-Forwarded-For has no address where the client is expected: check TRUST_PROXY and the proxy',
    )
  }
}
