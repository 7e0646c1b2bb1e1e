import { domainToASCII } from 'node:url'

/**
 * Whether the origin is on this machine, with any port: `localhost`, `*.localhost`, 127.0.0.0/8,
 * `[::1]`.
 */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/**
 * Whether a page of `origin` may use a project with these patterns: `[scheme://]host[:port]`, where
 * `*` stands for one label or a part of one. Loopback origins always may. An empty list allows
 * every origin.
 */
export function originAllowed(origin: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0 || isLoopbackOrigin(origin)) return true
  return patterns.some((pattern) => matches(origin, pattern))
}

/**
 * The origins of web pages that these patterns name exactly: https if a pattern has no scheme.
 * Leaves out patterns with `*`, of apps and of extensions.
 */
export const exactOrigins = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => {
    if (pattern.includes('*')) return []
    const url = pattern.includes('://') ? pattern : `https://${pattern}`
    return /^https?:/.test(url) && URL.canParse(url) ? [new URL(url).origin] : []
  })

/**
 * Normalizes a pattern for storage: lower case, names in ASCII (IDNA), without default ports.
 * Undefined if it is not valid. In addition to https and http it may name a browser extension or a
 * desktop app (`app://`).
 */
export function normalizePattern(pattern: string): string | undefined {
  const parts =
    /^(?:(https?|chrome-extension|moz-extension|safari-web-extension|app):\/\/)?([^\s/:]+)(?::(\d{1,5}))?\/?$/.exec(
      pattern.trim().toLowerCase(),
    )
  if (parts === null) return undefined
  const [, scheme, text = '', port] = parts
  const host = /^[\p{L}\p{M}\p{N}._*-]+$/u.test(text) ? domainToASCII(text) : ''
  const labels = host.split('.')
  if (!labels.every((label, index) => isLabel(label, labels.length - index - 1))) return undefined
  const suffix = port === undefined || Number(port) === defaultPort(scheme) ? '' : `:${port}`
  return `${scheme ? `${scheme}://` : ''}${host}${suffix}`
}

/**
 * Whether a label of a pattern is valid before `more` others. `*` in a part of a label is for names
 * below a domain only, because an attacker can register `evilexample.com`.
 */
const isLabel = (label: string, more: number) =>
  label === '*' ||
  /^[a-z0-9_-]+$/.test(label) ||
  (more >= 2 && !label.startsWith('xn--') && /^[a-z0-9_-]*\*[a-z0-9_-]*$/.test(label))

const defaultPort = (scheme: string | undefined) =>
  scheme === 'https' ? 443 : scheme === 'http' ? 80 : undefined

function matches(origin: string, pattern: string): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  const [scheme, authority] = pattern.includes('://') ? pattern.split('://') : [undefined, pattern]
  if (scheme !== undefined && `${scheme}:` !== url.protocol) return false
  const [host = '', port = ''] = authority?.split(':') ?? []
  const effective = url.port || String(defaultPort(url.protocol.slice(0, -1)))
  if (port === '' ? url.port !== '' : port !== effective) return false
  const patternLabels = host.split('.')
  const hostLabels = url.hostname.toLowerCase().split('.')
  return (
    patternLabels.length === hostLabels.length &&
    patternLabels.every(
      (label, index) =>
        isLabel(label, patternLabels.length - index - 1) &&
        matchesLabel(hostLabels[index] ?? '', label),
    )
  )
}

/** A `*` in a pattern stands for at least one character. */
function matchesLabel(label: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*')
  if (end === undefined) return label === pattern
  const isLongEnough = label.length > start.length + end.length
  return isLongEnough && label.startsWith(start) && label.endsWith(end)
}
