import type { ChainId } from '@latchkey/wire'
import type { SendDraft } from '../modal/views.ts'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { Request } from './request.ts'

/**
 * A token to send; no address means the native currency. With `nft`, one NFT of the contract at
 * `address`; its `decimals` are 0.
 */
export type SendToken = {
  address?: string
  symbol: string
  decimals: number
  /** `tokenId` is a decimal string. */
  nft?: { standard: 'erc721' | 'erc1155'; tokenId: string }
}

/** An amount of one asset. */
export type Amount = {
  /**
   * CAIP-19; the native currency is `slip44:` and its coin type, for example `slip44:60` for ether.
   */
  assetId: string
  /** In the asset's smallest unit. */
  value: bigint
  decimals: number
  symbol: string
}

/**
 * How soon a transfer is confirmed, on networks that let the sender choose; `normal` unless set.
 */
export type FeeSpeed = NonNullable<SendDraft['speed']>

/** The price of one speed. */
export type FeeChoice = {
  speed: FeeSpeed
  /** Undefined if the account cannot pay it. */
  fee: Amount | undefined
  /** Blocks within which the node expects a confirmation. */
  blocks: number
}

/** A request to the wallet, one for each step of a plan. */
export type Step = {
  kind: 'transfer'
  to: string
  amount: Amount
  /** The received amount, if the token takes its own fee. */
  received?: Amount
  /**
   * Whether the receiver is a contract or program, which may be unable to send on what it receives.
   */
  isToContract: boolean
}

/**
 * A transaction, or several related transactions: checked, and ready for the wallet after the
 * user's review.
 */
export type Plan = {
  /** The account and network of the checks; executing the plan under others is refused. */
  account: Account
  chainId: ChainId
  /** All that leaves the account, without the fee. */
  outflows: readonly Amount[]
  /** The maximum fee, and who pays it. */
  fee: Amount & { payer: 'account' | 'sponsor' }
  /** The selectable speeds, and the speed of this plan. */
  feeChoice?: { speed: FeeSpeed; choices: readonly FeeChoice[] }
  /**
   * Whether coins may hold assets that the node does not report, which is why small coins are kept.
   */
  mayHoldInscriptions?: boolean
  /**
   * The sum of the small coins that may hold inscriptions. The question's `smallCoins` decides
   * whether they are spent.
   */
  smallCoins?: Amount
  /** Whether the fee is more than the amount. */
  isFeeAboveAmount?: boolean
  /** The deposit that the network keeps while the receiver's new account exists. */
  deposit?: Amount
  /** Whether the token's issuer can take it back from any account. */
  isRevocable?: boolean
  steps: readonly Step[]
  /**
   * Requests the steps from the wallet. Resolves to the hash of the last transaction. Throws
   * ABORTED, the wallet's errors, and TRANSACTION_EXPIRED if no block included it in time: nothing
   * was sent, and executing the plan again is safe.
   */
  execute(signal: AbortSignal): Promise<string>
}

export type PlanTransferParameters = {
  wallet: Request
  /**
   * The methods that the wallet has approved; absent or undefined if they are unlimited or unknown.
   */
  approvedMethods?: readonly string[] | undefined
  node: Request
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isSponsored?: boolean
  to: string
  /** Decimal string in whole tokens. */
  amount: string
  token: SendToken
  speed?: FeeSpeed | undefined
  smallCoins?: boolean | undefined
}
