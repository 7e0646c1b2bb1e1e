import type { Hex } from 'viem'

/**
 * An asset, in smallest units. `units`: of a fungible token. `item`: of a collection; any item if
 * `id` is absent. `either`: units or the item with that number, because the bytes are the same for
 * both.
 */
export type EffectAsset =
  | { readonly kind: 'native'; readonly amount: bigint }
  | { readonly kind: 'units'; readonly token: Hex; readonly amount: bigint }
  | { readonly kind: 'item'; readonly token: Hex; readonly id?: bigint; readonly amount: bigint }
  | { readonly kind: 'either'; readonly token: Hex; readonly amount: bigint }

/** The effect of a request on the account's assets, computed from the signed bytes alone. */
export type Effect =
  /**
   * `to`: the contract if a call takes native currency; absent if it creates a contract.
   * `unpayable`: the function takes no payment.
   */
  | {
      readonly kind: 'send'
      readonly asset: EffectAsset
      readonly from: Hex
      readonly to: Hex | undefined
      readonly until?: bigint
      readonly unpayable?: boolean
    }
  /**
   * `change`: added to or subtracted from the current allowance. `via`: the contract that stores
   * the allowance.
   */
  | {
      readonly kind: 'allow'
      readonly asset: EffectAsset
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
  /**
   * Anyone who gives `gets` to the owner can take `gives`. `unsure`: further code may change what
   * the owner gets.
   */
  | {
      readonly kind: 'sell'
      readonly owner: Hex
      readonly gives: readonly EffectAsset[]
      readonly gets: readonly EffectAsset[]
      readonly until: bigint
      readonly unsure?: boolean
    }
  /**
   * Contract code that may do anything within its permissions. `name`: a standard function with its
   * arguments. Only the selector is known, so another contract may do something else under this
   * name. `data`: the calldata that the name does not cover. `isHarmless`: the call takes nothing
   * by itself.
   */
  | {
      readonly kind: 'call'
      readonly contract: Hex
      readonly data: Hex
      readonly name?: string
      readonly isHarmless?: boolean
    }
  | { readonly kind: 'deploy'; readonly data: Hex }
