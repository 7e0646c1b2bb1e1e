import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isLoopbackOrigin } from './originAllowed.ts'

/**
 * Whether a `Host` header names this server: its public name, this machine, or an IP address, which
 * no foreign page can use as its own name. Behind our own proxies, the proxies decide which names
 * lead here. Browsers always send the header.
 */
export function isOwnHost(
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  host: string | undefined,
): boolean {
  if (host === undefined || trustedProxies > 0) return true
  // The common case, which needs no URL parsing.
  if (publicUrl.endsWith(`://${host}`)) return true
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  if (isLoopbackOrigin(url) || hostname === new URL(publicUrl).hostname) return true
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
