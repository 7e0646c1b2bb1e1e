import type { Engine } from '../engine.ts'

/** Whether something has expired; false while its relay has not yet told the time. */
export const isExpired = (
  { relays, nowMs }: Engine,
  { relayUrl, expirySeconds }: { relayUrl: string; expirySeconds: number },
): boolean =>
  relays.status(relayUrl).status === 'connected' && expirySeconds * 1000 <= nowMs(relayUrl)
