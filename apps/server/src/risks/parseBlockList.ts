/** Hosts and addresses that the operator warns about. `ignored`: how many entries are neither. */
export type BlockList = {
  readonly hosts: ReadonlySet<string>
  readonly addresses: ReadonlySet<string>
  readonly ignored: number
}

/**
 * Reads a list: lines with `#` comments, a JSON array of strings, or a JSON object with such arrays
 * under keys such as `blacklist`, `domains` or `addresses`. An entry is a host, an origin or an
 * address. Throws SyntaxError for truncated JSON.
 */
export function parseBlockList(text: string): BlockList {
  const hosts = new Set<string>()
  const addresses = new Set<string>()
  let ignored = 0
  for (const entry of readEntries(text)) {
    const address = normalizeAddress(entry)
    const host = address === undefined ? readHost(entry) : undefined
    if (address !== undefined) addresses.add(address)
    else if (host !== undefined) hosts.add(host)
    else ignored += 1
  }
  return { hosts, addresses, ignored }
}

function readEntries(text: string): string[] {
  const start = text.trimStart().charAt(0)
  if (start !== '[' && start !== '{')
    return text.split('\n').flatMap((line) => line.replace(/#.*$/, '').trim() || [])
  const json: unknown = JSON.parse(text)
  const lists = Array.isArray(json)
    ? [json]
    : ['blacklist', 'domains', 'addresses'].map((name) => (json as Record<string, unknown>)[name])
  return lists.flat().filter((one): one is string => typeof one === 'string')
}

/** An EVM address in lower case, or a base58 address unchanged; undefined for any other string. */
export function normalizeAddress(text: string): string | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  return /^[1-9A-HJ-NP-Za-km-z]{32,64}$/.test(text) ? text : undefined
}

/**
 * The host of an origin or a name. A top-level name such as `com` is refused, because it would
 * cover a large part of the web.
 */
function readHost(entry: string): string | undefined {
  const url = entry.includes('://') ? entry : `https://${entry.replace(/^\*\./, '')}`
  if (!URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  return hostname.includes('.') || hostname.startsWith('[')
    ? hostname.replace(/\.$/, '')
    : undefined
}

/** Whether a list contains the host of an origin, or a domain above it. */
export function hasOrigin({ hosts }: BlockList, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const labels = new URL(origin).hostname.replace(/\.$/, '').split('.')
  return labels.some((_, index) => hosts.has(labels.slice(index).join('.')))
}
