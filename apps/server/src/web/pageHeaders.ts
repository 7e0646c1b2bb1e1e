import { type Config, getPublicFrameUrl } from '../config.ts'

/**
 * Headers of the pages we serve: a policy without `unsafe-*`; popups (the development wallet) keep
 * their opener.
 */
export function pageHeaders(config: Config): Record<string, string> {
  const { publicUrl, developmentWalletUrl, webRelay } = config
  const wallet = developmentWalletUrl && new URL(developmentWalletUrl).origin
  // Not every browser lets 'self' cover WebSockets.
  const relay = webRelay ? ` ${new URL(webRelay.relayUrl).origin}` : ''
  const socket = publicUrl.replace(/^http/, 'ws')
  const framed = [wallet, getPublicFrameUrl(config)].filter((url) => url !== undefined)
  const policy = [
    "default-src 'none'",
    `script-src 'self'${wallet ? ` ${wallet}` : ''}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${socket}${relay}`,
    `frame-src ${framed.join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
    "worker-src 'self'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}

/** Headers of the service worker of the pages: it loads files of this server, and nothing else. */
export const workerHeaders = {
  'content-security-policy': "default-src 'none'; connect-src 'self'",
}
