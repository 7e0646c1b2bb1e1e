/**
 * Statuses of a network in between that returns its own page: a login page, or a page that blocks
 * the address.
 */
const networkStatuses: readonly number[] = [401, 403, 407]

/**
 * Whether an HTTP response comes from a network in between (a captive portal, a filter), so that
 * the server was not reached: our server responds in JSON. A 2xx response that can still be parsed
 * as JSON is the server's.
 */
export function isForeignAnswer({ ok, status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  if (ok) return !/json/i.test(type)
  return status === 511 || (networkStatuses.includes(status) && /html/i.test(type))
}
