import type { ChainId } from '@latchkey/wire'
import type { SendDraft } from '../modal/views.ts'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { Request } from './request.ts'

/**
 * A token as sending needs it; no address means the network's own currency. With `nft` it is that
 * one of the contract at `address`; its `decimals` are 0.
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
  /** CAIP-19; a network's own currency is `slip44:` and its coin type, as `slip44:60` for ether. */
  assetId: string
  /** In the asset's smallest unit. */
  value: bigint
  decimals: number
  symbol: string
}

/**
 * How soon a transfer is confirmed, where a network lets the sender choose; `normal` unless set.
 */
export type FeeSpeed = NonNullable<SendDraft['speed']>

/** What one speed costs. */
export type FeeChoice = {
  speed: FeeSpeed
  /** Undefined if the account cannot pay it. */
  fee: Amount | undefined
  /** Blocks within which the node expects a confirmation. */
  blocks: number
}

/** What the wallet is asked for, once for each step of a plan. */
export type Step = {
  kind: 'transfer'
  to: string
  amount: Amount
  /** What arrives, where the token takes a fee of its own. */
  received?: Amount
  /**
   * Whether the receiver is a contract or program, which may have no way to pass on what it gets.
   */
  isToContract: boolean
}

/**
 * A transaction, or several that belong together: checked, and ready for the wallet once the user
 * has seen it.
 */
export type Plan = {
  /** Account and network it was checked for; executing it under others is refused. */
  account: Account
  chainId: ChainId
  /** All that leaves the account, without the fee. */
  outflows: readonly Amount[]
  /** The maximum fee, and who pays it. */
  fee: Amount & { payer: 'account' | 'sponsor' }
  /** The speeds that can be chosen, and the one that the plan has. */
  feeChoice?: { speed: FeeSpeed; choices: readonly FeeChoice[] }
  /**
   * Whether coins may hold something that the node cannot tell, which small ones are spared for.
   */
  mayHoldInscriptions?: boolean
  /**
   * The sum of the small coins that may hold inscriptions. `smallCoins` of the question says
   * whether they are spent.
   */
  smallCoins?: Amount
  /** Whether the fee is more than the amount. */
  isFeeAboveAmount?: boolean
  /**
   * What the network keeps as long as the account exists that the transaction makes for the
   * receiver.
   */
  deposit?: Amount
  /** Whether the token's issuer can take it back from any account. */
  isRevocable?: boolean
  steps: readonly Step[]
  /**
   * Asks the wallet, step by step. Resolves to the hash of the last transaction. Throws ABORTED,
   * the wallet's errors, and TRANSACTION_EXPIRED where no block took it in time: nothing was sent,
   * and executing the plan again is safe.
   */
  execute(signal: AbortSignal): Promise<string>
}

export type TransferQuestion = {
  wallet: Request
  /**
   * The methods that the wallet has approved; absent or undefined where that is not limited or not
   * known.
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
