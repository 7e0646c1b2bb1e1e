import type { LatchkeyError } from '@latchkey/wire'
import type { PairingOffer } from './connectors/connector.ts'

/** The state to show while connecting: the pairing, and why the relay cannot be reached. */
type PairingState = Partial<PairingOffer> & { error?: LatchkeyError }

/** Combines events of pairings and of the relay into the state to show. */
export function createPairingCallbacks(show: (pairing: PairingState) => void): {
  onUri: (offer: PairingOffer) => void
  onRelay: (problem: LatchkeyError | undefined) => void
} {
  let offer: PairingState = {}
  let trouble: PairingState = {}
  return {
    onUri({ uri, renewAtMs, expiresAtMs }) {
      offer = { uri, renewAtMs, expiresAtMs }
      show({ ...offer, ...trouble })
    },
    onRelay(error) {
      trouble = error ? { error } : {}
      show({ ...offer, ...trouble })
    },
  }
}
