/**
 * Statuses that a network in between gives with a page of its own: it asks for a login, or blocks
 * the address.
 */
const networkStatuses: readonly number[] = [401, 403, 407]

/**
 * Whether an HTTP answer comes from the network in between (a captive portal, a filter), so that
 * the server was not reached: our server answers in JSON. An answer of 2xx that can be read as JSON
 * all the same is the server's.
 */
export function isForeignAnswer({ ok, status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  if (ok) return !/json/i.test(type)
  return status === 511 || (networkStatuses.includes(status) && /html/i.test(type))
}
