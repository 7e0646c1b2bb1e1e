import { canParseUrl } from '@latchkey/wire'
/**
 * Whether a page of `origin` may embed the frame, according to the sources of `frame-ancestors`:
 * exactly the same origin, or a source whose host starts with `*.` (at least one label) or whose
 * port is `*`. Refuses anything that is not an http(s) origin in canonical form: `null`, `blob:`, a
 * trailing dot, upper case, a default port.
 */
export function isAncestorAllowed(origin: string, sources: readonly string[]): boolean {
  if (!/^https?:\/\/[^/@?#]+$/.test(origin) || !canParseUrl(origin)) return false
  const url = new URL(origin)
  if (url.origin !== origin || url.hostname.endsWith('.')) return false
  return sources.some((source) => source === origin || matches(url, source))
}

function matches({ protocol, hostname, port }: URL, source: string): boolean {
  const parts = /^(https?:)\/\/(\*\.)?(\[[0-9a-f:]+\]|[a-z0-9_.-]+)(?::(\d+|\*))?$/.exec(source)
  if (!parts) return false
  const [, scheme, wild, host = '', wantedPort = ''] = parts
  if (scheme !== protocol || (!wild && wantedPort !== '*')) return false
  if (wantedPort !== '*' && wantedPort !== port) return false
  return wild ? hostname.endsWith(`.${host}`) : hostname === host
}
