import type { LatchkeyError } from '@latchkey/wire'

/** What is shown while a connection is made: its pairing, and why the relay is away. */
type PairingState = { uri?: string; expiresAtMs?: number; error?: LatchkeyError }

/** Takes news of pairings and of the relay, and passes on what to show now. */
export function showPairing(show: (pairing: PairingState) => void): {
  onUri: (uri: string, expiresAtMs: number) => void
  onRelay: (problem: LatchkeyError | undefined) => void
} {
  let offer: PairingState = {}
  let trouble: PairingState = {}
  return {
    onUri(uri, expiresAtMs) {
      offer = { uri, expiresAtMs }
      show({ ...offer, ...trouble })
    },
    onRelay(error) {
      trouble = error ? { error } : {}
      show({ ...offer, ...trouble })
    },
  }
}
