import type { ChainId } from '@latchkey/wire'
import type { Activity } from '../activity/activity.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import type { Quote } from '../prices/price.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import type { GetTokens } from '../tokens/openTokenLists.ts'
import type { Token } from '../tokens/token.ts'
import type { GetTokenFacts } from '../tokens/tokenFacts.ts'

/**
 * An address's balance of one asset. `address` is absent for the native currency, `quote` if no
 * source has a price, and name and symbol if no source has them.
 */
export type Holding = Pick<Token, 'decimals'> & {
  readonly name: string | undefined
  readonly symbol: string | undefined
  readonly address: string | undefined
  readonly amount: bigint
  readonly quote: Quote | undefined
}

/** Finds an account's tokens that no list contains. */
export type Discovery = Pick<Activity, 'follow' | 'readTokens' | 'listen'>

/**
 * Events of accounts. A `quiet` listener does not cause any reads. Returns a function that stops
 * listening.
 */
export type AccountNews = {
  listen(
    account: { readonly chainId: ChainId; readonly address: string },
    listener: (event: { readonly type: 'changed' | 'sync' }) => void,
    mode: 'quiet',
  ): () => void
}

export type BalanceSources = Pick<Services, 'kv' | 'log' | 'config'> & {
  readonly upstreams: Upstreams
  readonly getTokens: GetTokens
  readonly getListed: GetListedTokens
  readonly getFacts: GetTokenFacts
  readonly readPrices: ReadPrices
  readonly activity: Discovery | undefined
}

export type HoldingsQuery = {
  readonly owner: string
  readonly chainId: ChainId
  /**
   * Tokens by their key that are read whether or not they are listed; the native currency of EVM
   * chains as 0xeeee…eeee.
   */
  readonly forced: readonly string[]
}

/**
 * `isComplete`: nothing is missing because a read failed. `isPartial`: tokens are missing until the
 * nodes list them; the response names the network.
 */
export type ReadHoldings = {
  readonly holdings: Holding[]
  readonly isComplete: boolean
  readonly isPartial?: boolean
}
