import type { Engine } from '../engine.ts'

/** Whether something has expired. False until its relay's time is known. */
export const isExpired = (
  { relays, nowMs }: Engine,
  { relayUrl, expirySeconds }: { relayUrl: string; expirySeconds: number },
): boolean =>
  relays.status(relayUrl).status === 'connected' && expirySeconds * 1000 <= nowMs(relayUrl)
