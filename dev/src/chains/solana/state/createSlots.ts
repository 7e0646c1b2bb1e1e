import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { solanaChain } from '../definition.ts'

/** How many slots a blockhash is valid, like on Solana. */
export const blockhashLifetime = 150
/** Slots after which a transaction is final. Solana needs 32; this chain has no votes. */
export const finalAfterSlots = 2

/**
 * The chain's time: a slot begins every `slotMs`, with a block and a blockhash each. Slots are not
 * stored.
 */
export type Slots = {
  readonly slotMs: number
  current(): number
  /** Lets slots pass at once. */
  skip(count: number): void
  /** Unix time of a slot, in seconds. */
  time(slot: number): number
  /** The first slot at or after a time in milliseconds, before any skipping. */
  at(ms: number): number
  blockhash(slot: number): string
  isRecent(blockhash: string): boolean
}

/** {@link Slots} of a chain that began at `genesisMs` and has skipped `skipped` slots. */
export function createSlots(parameters: {
  genesisMs: number
  slotMs: number
  skipped: number
}): Slots {
  const { genesisMs, slotMs } = parameters
  let { skipped } = parameters
  let newest = 0
  const at = (ms: number) => Math.floor((ms - genesisMs) / slotMs)
  const current = () => {
    // The machine's clock may be set back; slots never are.
    newest = Math.max(newest, at(Date.now()) + skipped)
    return newest
  }
  return {
    slotMs,
    at,
    current,
    skip: (count) => {
      skipped += count
    },
    time: (slot) => Math.floor((genesisMs + Math.max(0, slot - skipped) * slotMs) / 1_000),
    blockhash,
    isRecent: (wanted) => {
      const slot = current()
      for (let at = slot; at >= Math.max(0, slot - blockhashLifetime); at--)
        if (blockhash(at) === wanted) return true
      return false
    },
  }
}

const blockhash = (slot: number) =>
  getBase58Decoder().decode(
    createHash('sha256').update(`${solanaChain.genesisHash}:${slot}`).digest(),
  )
