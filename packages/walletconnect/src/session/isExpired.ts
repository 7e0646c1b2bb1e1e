import type { Engine } from '../engine.ts'

/** Whether the time of something is over; unknown, so no, while its relay has not told the time. */
export const isExpired = (
  { relays, nowMs }: Engine,
  { relayUrl, expirySeconds }: { relayUrl: string; expirySeconds: number },
): boolean =>
  relays.status(relayUrl).status === 'connected' && expirySeconds * 1000 <= nowMs(relayUrl)
