import type { Hex } from 'viem'

/**
 * What somebody owns, in smallest units. `units`: of a fungible token. `item`: of a collection, any of it without `id`.
 * `either`: units or the item of that number, for the bytes are the same for both.
 */
export type Asset =
  | { readonly kind: 'native'; readonly amount: bigint }
  | { readonly kind: 'units'; readonly token: Hex; readonly amount: bigint }
  | { readonly kind: 'item'; readonly token: Hex; readonly id?: bigint; readonly amount: bigint }
  | { readonly kind: 'either'; readonly token: Hex; readonly amount: bigint }

/** What a request does to what the account owns, read from the bytes that are signed and from nothing else. */
export type Effect =
  /** `to`: the contract where a call takes native currency, nobody yet where it makes one. `unpayable`: the function takes none. */
  | {
      readonly kind: 'send'
      readonly asset: Asset
      readonly from: Hex
      readonly to: Hex | undefined
      readonly until?: bigint
      readonly unpayable?: boolean
    }
  /** `change`: added to, or taken from, what is allowed now. `via`: the contract that keeps the allowance. */
  | {
      readonly kind: 'allow'
      readonly asset: Asset
      readonly owner: Hex
      readonly spender: Hex
      readonly change?: 'more' | 'less'
      readonly until?: bigint
      readonly via?: Hex
    }
  | {
      readonly kind: 'operate'
      readonly collection: Hex
      readonly operator: Hex
      readonly approved: boolean
      readonly until?: bigint
    }
  /** Whoever gives `gets` to the owner takes `gives`. `unsure`: further code may change what is got. */
  | {
      readonly kind: 'sell'
      readonly owner: Hex
      readonly gives: readonly Asset[]
      readonly gets: readonly Asset[]
      readonly until: bigint
      readonly unsure?: boolean
    }
  /** Code of a contract that does what it likes with what it may. `name`: of a function known to be plain. */
  | { readonly kind: 'call'; readonly contract: Hex; readonly data: Hex; readonly name?: string }
  | { readonly kind: 'deploy'; readonly data: Hex }
