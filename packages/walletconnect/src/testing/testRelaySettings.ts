import type { Publish } from '../rpc/method.ts'

/** Faults of the test relay; may be changed at any time. */
export type TestRelaySettings = {
  /** Supports neither `wc_proposeSession` nor `wc_approveSession`. */
  isOlder: boolean
  pushDelayMs: number
  /** A push arrives before the response to the publisher. */
  pushesFirst: boolean
  /** Delivers waiting messages in reverse order. */
  reorders: boolean
  /** Delivers every message twice. */
  duplicates: boolean
  /** Loses acknowledgements: handled messages arrive again on the next subscribe or reconnect. */
  losesAcks: boolean
}

/** A published message, with its sender's id. */
export type Published = { clientId: string; topic: string; message: string } & Publish
