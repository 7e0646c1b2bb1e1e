/** Whether the origin is on this machine, with any port: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopback(origin: string): boolean {
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
 * Whether a page of `origin` may use a project with these patterns: `[scheme://]host[:port]`, where `*` stands for one whole
 * label. Loopback origins always may. An empty list allows every origin.
 */
export function originAllowed(origin: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0 || isLoopback(origin)) return true
  return patterns.some((pattern) => matches(origin, pattern))
}

/** Normalises a pattern for storage: lower case, without default ports. Undefined if it is not valid. */
export function normalisePattern(pattern: string): string | undefined {
  const parts =
    /^(?:(https?):\/\/)?((?:\*|[a-z0-9_-]+)(?:\.(?:\*|[a-z0-9_-]+))*)(?::(\d{1,5}))?\/?$/.exec(
      pattern.trim().toLowerCase(),
    )
  if (parts === null) return undefined
  const [, scheme, host, port] = parts
  const suffix = port === undefined || Number(port) === defaultPort(scheme) ? '' : `:${port}`
  return `${scheme ? `${scheme}://` : ''}${host}${suffix}`
}

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
  const hostLabels = url.hostname.split('.')
  return (
    patternLabels.length === hostLabels.length &&
    patternLabels.every((label, index) => label === '*' || label === hostLabels[index])
  )
}
