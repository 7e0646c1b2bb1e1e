import type { Hex } from '../../evm/hex.ts'
import type { ReadonlyUnreadBlocks } from '../nodes/chainData.ts'

/**
 * Accounts whose logs were too large for one response in several blocks. Their logs are read
 * separately for some time, because finding these accounts again in each block would delay all
 * others.
 */
export type CrowdedAccounts = {
  /** The accounts that are set aside now. */
  list(): ReadonlySet<Hex>
  /** Notes what could not be read. An account that is set aside already is not counted. */
  note(unread: ReadonlyUnreadBlocks): void
}

/** The number of such blocks after which an account is set aside, each time for twice as long. */
const minBlocks = 3
const firstMs = 60_000
const longestMs = 30 * 60_000
/** After this time without such a block, the count begins again. */
const forgetMs = 60 * 60_000

/** No account is set aside yet. */
export function createCrowdedAccounts(clock: () => number): CrowdedAccounts {
  const seen = new Map<Hex, { blocks: number; untilMs: number; seenAtMs: number }>()
  return {
    list() {
      const now = clock()
      for (const [address, { seenAtMs }] of seen)
        if (now - seenAtMs > forgetMs) seen.delete(address)
      return new Set(
        [...seen].flatMap(([address, { untilMs }]) => (untilMs > now ? [address] : [])),
      )
    },
    note(unread) {
      const now = clock()
      for (const [address, { size }] of unread) {
        const before = seen.get(address) ?? { blocks: 0, untilMs: 0 }
        if (before.untilMs > now) continue
        const blocks = before.blocks + Math.min(size, minBlocks)
        const times = blocks - minBlocks
        const pauseMs = times < 0 ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(times, 10))
        seen.set(address, { blocks, untilMs: now + pauseMs, seenAtMs: now })
      }
    },
  }
}
