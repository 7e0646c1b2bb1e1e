import type { LatchkeyError } from '@latchkey/wire'
import type { Pairing } from './connectors/connector.ts'

/** The state to show while connecting: the pairing, and why the relay cannot be reached. */
type PairingState = Partial<Pairing> & { error?: LatchkeyError }

/** Combines events of pairings and of the relay into the state to show. */
export function createPairingCallbacks(show: (pairing: PairingState) => void): {
  onUri: (pairing: Pairing) => void
  onRelay: (problem: LatchkeyError | undefined) => void
} {
  let pairing: PairingState = {}
  let trouble: PairingState = {}
  return {
    onUri({ uri, renewAtMs, expiresAtMs }) {
      pairing = { uri, renewAtMs, expiresAtMs }
      show({ ...pairing, ...trouble })
    },
    onRelay(error) {
      trouble = error ? { error } : {}
      show({ ...pairing, ...trouble })
    },
  }
}
