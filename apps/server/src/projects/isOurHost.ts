import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isLoopback } from './originAllowed.ts'

/**
 * Whether a `Host` header names this server: the public one, this machine, or an IP address, which no foreign page can
 * take for its own. Behind proxies of ours they decide which names lead here. Without the header it is no browser.
 */
export function isOwnHost(
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  host: string | undefined,
): boolean {
  if (host === undefined || trustedProxies > 0) return true
  // The usual case, which needs no reading of URLs.
  if (publicUrl.endsWith(`://${host}`)) return true
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  if (isLoopback(url) || hostname === new URL(publicUrl).hostname) return true
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
