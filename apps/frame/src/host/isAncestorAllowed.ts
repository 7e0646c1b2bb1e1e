/**
 * Whether a page of `origin` may be the frame's parent, by the sources of `frame-ancestors`: the same origin, letter by letter,
 * or a source whose host begins with `*.` (one label or more) or whose port is `*`. Anything that is no http(s) origin in its
 * own spelling is refused: `null`, `blob:`, a trailing dot, upper case, a default port.
 */
export function isAncestorAllowed(origin: string, sources: readonly string[]): boolean {
  if (!/^https?:\/\/[^/@?#]+$/.test(origin) || !URL.canParse(origin)) return false
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
