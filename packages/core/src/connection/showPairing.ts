import type { LatchkeyError } from '@latchkey/wire'

/** The state to show while connecting: the pairing, and why the relay cannot be reached. */
type PairingState = { uri?: string; expiresAtMs?: number; error?: LatchkeyError }

/** Combines events of pairings and of the relay into the state to show. */
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
