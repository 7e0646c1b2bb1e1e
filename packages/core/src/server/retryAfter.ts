/**
 * The delay that a `Retry-After` header requests: seconds or a date (RFC 9110); undefined for any
 * other value.
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
