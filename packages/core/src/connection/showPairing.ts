import type { LatchkeyError } from '@latchkey/wire'

/** What stands beside a connecting: its pairing, and why the relay is away. */
type Shown = { uri?: string; expiresAtMs?: number; error?: LatchkeyError }

/** Hears of pairings and of the relay, and hands on what is to be shown now. */
export function showPairing(show: (shown: Shown) => void): {
  onUri: (uri: string, expiresAtMs: number) => void
  onRelay: (problem: LatchkeyError | undefined) => void
} {
  let offer: Shown = {}
  let trouble: Shown = {}
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
