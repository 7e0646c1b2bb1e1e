import type { Publish } from '../rpc/method.ts'

/** What the relay does to its clients; may be changed at any time. */
export type TestRelaySettings = {
  /** Knows neither `wc_proposeSession` nor `wc_approveSession`. */
  isOlder: boolean
  pushDelayMs: number
  /** A push arrives before the publisher is answered. */
  pushesFirst: boolean
  /** What waits for a client arrives last first. */
  reorders: boolean
  /** Everything arrives twice. */
  duplicates: boolean
  /** Acknowledgements are lost: what was handled comes again on the next subscribe or reconnect. */
  losesAcks: boolean
}

/** A message as it was handed in, by the public key of its sender. */
export type Published = { clientId: string; topic: string; message: string } & Publish
