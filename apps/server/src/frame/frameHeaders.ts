import type { Config } from '../config.ts'
import { reportPath } from './reportRoute.ts'

const off = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'xr-spatial-tracking',
]
const own = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write']
const permissions = [
  ...off.map((feature) => `${feature}=()`),
  ...own.map((feature) => `${feature}=(self)`),
].join(', ')

/** Hashes of a page's inline scripts and styles, as CSP sources. */
export type Inline = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

/** The headers that every response of the secure frame's origin has. */
export const originHeaders = ({ frame }: Pick<Config, 'frame'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissions,
  ...(frame.url.startsWith('https:') && {
    'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  }),
})

/**
 * For the frame, which only pages of `ancestors` may embed: exact origins; an empty list means
 * none.
 */
export const framePageHeaders = (
  ancestors: readonly string[],
  inline: Inline,
): Record<string, string> => ({
  'content-security-policy': policy(inline, ancestors.join(' ') || "'none'"),
  'cache-control': 'no-store',
})

/**
 * For a page that the user opens directly: no page may embed it, and its opener gets no reference
 * to it.
 */
export const ownPageHeaders = (inline: Inline): Record<string, string> => ({
  'content-security-policy': policy(inline, "'none'"),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
})

/**
 * For windows that a frame on our origin must reach: the window that approves for it, and the
 * window that signs in at a provider.
 */
export const approvePageHeaders = (inline: Inline): Record<string, string> => ({
  ...ownPageHeaders(inline),
  'cross-origin-opener-policy': 'unsafe-none',
})

/** For scripts, which bring their own policy if they run as workers. */
export const scriptHeaders = {
  'content-security-policy': policy({ scripts: [], styles: [] }, "'none'"),
}

function policy({ scripts, styles }: Inline, ancestors: string): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    `style-src ${["'self'", ...styles].join(' ')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    'trusted-types vault',
    `report-uri ${reportPath}`,
  ].join('; ')
}
