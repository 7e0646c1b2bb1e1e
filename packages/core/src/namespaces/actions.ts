import { type Allowance, type ChainId, LatchkeyError, type Namespace } from '@latchkey/wire'
import type { SendDraft } from '../modal/views.ts'
import type { Network } from '../networks.ts'
import type { Account } from '../state.ts'
import type { NodeSettings } from './nodeSettings.ts'

export type Request = (method: string, params?: readonly unknown[] | object) => Promise<unknown>

/**
 * A token as sending needs it; no address means the network's own currency. With `nft` it is that one of the contract
 * at `address`; its `decimals` are 0.
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

/** How soon a transfer is confirmed, where a network lets the sender choose; `normal` unless set. */
export type FeeSpeed = NonNullable<SendDraft['speed']>

/** What one speed costs. */
export type FeeChoice = {
  speed: FeeSpeed
  /** Undefined where the account cannot pay it, or it would be more than the amount. */
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
  /** Whether the receiver is a contract or program, which may have no way to pass on what it gets. */
  isToContract: boolean
}

/** A transaction, or several that belong together: checked, and ready for the wallet once the user has seen it. */
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
  /** Whether coins may hold something that the node cannot tell, which small ones are spared for. */
  mayHoldInscriptions?: boolean
  /** What the network keeps as long as the account exists that the transaction makes for the receiver. */
  deposit?: Amount
  /** Whether the token's issuer can take it back from any account. */
  isRevocable?: boolean
  steps: readonly Step[]
  /**
   * Asks the wallet, step by step. Resolves to the hash of the last transaction. Throws ABORTED, the wallet's errors, and
   * TRANSACTION_EXPIRED where no block took it in time: nothing was sent, and executing the plan again is safe.
   */
  execute(signal: AbortSignal): Promise<string>
}

export type TransferQuestion = {
  wallet: Request
  /** The methods that the wallet has approved; absent or undefined where that is not limited or not known. */
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
}

/** One call of a batch (EIP-5792). `value` is in the smallest unit. */
export type BatchCall = { to: string; data?: string; value?: bigint }

/** `partial`: some of the transactions were reverted. */
export type BatchStatus = 'pending' | 'confirmed' | 'failed' | 'partial'

/** What became of a batch. `chainId`: where the wallet says it. `hashes`: its transactions, as far as they are mined. */
export type Batch = {
  status: BatchStatus
  isAtomic: boolean
  hashes: readonly string[]
  chainId?: ChainId
}

/**
 * `ready`: the wallet will ask its user for it first. `isSponsored`: the wallet's operator pays fees of what the account sends
 * on the network, within limits that only the wallet knows.
 */
export type BatchCapabilities = {
  atomic: 'supported' | 'ready' | 'unsupported'
  isSponsored: boolean
}

type CallsQuestion = {
  wallet: Request
  address: string
  chainId: ChainId
  approvedMethods: readonly string[] | undefined
}

/** Batches of calls, where a namespace has them. */
export type CallsActions = {
  send(
    parameters: CallsQuestion & { calls: readonly BatchCall[]; isAtomic?: boolean; id?: string },
  ): Promise<string>
  getStatus(parameters: CallsQuestion & { id: string }): Promise<Batch>
  /** Has the wallet show a batch. Throws UNSUPPORTED_METHOD and its like where it shows none. */
  show(parameters: CallsQuestion & { id: string }): Promise<void>
  getCapabilities(parameters: CallsQuestion): Promise<BatchCapabilities>
}

/** A token that is swapped; no address means the network's own currency. */
export type TokenFacts = Omit<SendToken, 'nft'>

/** A transaction as the server prepared it: parsed, and not to be trusted. Amounts are in the smallest unit. */
export type PreparedSwap = {
  to: string
  data: string
  value: bigint
  expected: bigint
  /** Gas that it may use. */
  gas: bigint
}

/** What the wallet is asked for, in this order. */
type SwapStep =
  /** An allowance of exactly this amount; of 0 where the token wants an earlier one taken back first. */
  { kind: 'approve'; spender: string; amount: Amount } | { kind: 'swap'; contract: string }

/** The id of the transaction that swaps, or of the batch that it is part of. */
export type SwapOutcome = { hash: string } | { callsId: string }

/** A swap that was checked against its review: what leaves is in `outflows`. */
export type SwapPlan = Omit<Plan, 'steps' | 'execute'> & {
  steps: readonly SwapStep[]
  /** What arrives if nothing moves, and what arrives at least: otherwise nothing is swapped. */
  expected: Amount
  minimum: Amount
  /** Whether the wallet does all steps as one: all or nothing. */
  isBatch: boolean
  /**
   * Asks the wallet, step by step, and has the swap prepared anew before it. Throws ABORTED, the wallet's errors,
   * SWAP_PRICE_MOVED where less than `minimum` would arrive or it would cost more than `fee`, SWAP_REFUSED,
   * SWAP_ALTERED.
   */
  execute(signal: AbortSignal, onStep?: (index: number) => void): Promise<SwapOutcome>
}

export type SwapQuestion = {
  wallet: Request
  node: Request
  now: () => number
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isSponsored?: boolean
  from: TokenFacts
  to: TokenFacts
  /** In the smallest unit. */
  amount: bigint
  /** In per cent. */
  slippage: number
  /** Has the server prepare the transaction. */
  prepare: () => Promise<PreparedSwap>
  /** Sends calls as one; absent where the wallet cannot. */
  sendBatch: ((calls: readonly BatchCall[]) => Promise<string>) | undefined
  waitForTransaction: (parameters: {
    hash: string
    chainId: ChainId
    signal: AbortSignal
  }) => Promise<{ status: 'success' | 'reverted' }>
}

/** Swaps, where a namespace has them. */
export type SwapActions = {
  /**
   * Checks a swap and prepares it. Throws SWAP_UNSUPPORTED, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, SWAP_ALTERED, SWAP_REFUSED,
   * and what `prepare` throws.
   */
  plan(question: SwapQuestion): Promise<SwapPlan>
  /** The most that can be swapped, in the smallest unit: of the native currency what the fee leaves. */
  max(
    question: Pick<SwapQuestion, 'node' | 'account' | 'isSponsored'> & { token: TokenFacts },
  ): Promise<bigint>
}

/** Allowances that are taken back: by one batch, or by one transaction after another. */
export type RevokePlan = Pick<Plan, 'account' | 'chainId' | 'fee'> & {
  /** How many transactions the wallet is asked for. */
  count: number
  /** Whether the wallet does all as one: all or nothing. */
  isBatch: boolean
  /**
   * Asks the wallet and waits until the network has done it; `onStep` tells which transaction is next. Throws ABORTED, the
   * wallet's errors, and REVOKE_REFUSED where a contract did not do it. What was done before an error stays done.
   */
  execute(signal: AbortSignal, onStep?: (index: number) => void): Promise<void>
}

export type RevokeQuestion = {
  wallet: Request
  node: Request
  network: Network
  /** Smart accounts skip the fee check. */
  account: Account
  isSponsored?: boolean
  allowances: readonly Pick<Allowance, 'kind' | 'token' | 'tokenId' | 'spender'>[]
  /** Sends calls as one and waits until that is over; absent where the wallet cannot. */
  sendBatch:
    | ((calls: readonly BatchCall[], signal: AbortSignal) => Promise<BatchStatus>)
    | undefined
  waitForTransaction: (parameters: {
    hash: string
    chainId: ChainId
    signal: AbortSignal
  }) => Promise<{ status: 'success' | 'reverted' }>
}

/** Taking allowances back, where a namespace has them. */
export type RevokeActions = {
  /** Checks what is to be taken back and what it costs. Throws INVALID_PARAMS, INSUFFICIENT_GAS, REVOKE_REFUSED and the node's errors. */
  plan(question: RevokeQuestion): Promise<RevokePlan>
}

/** What can be done on the networks of one namespace. Pure: each action gets a `wallet` or `node` request and keeps nothing. */
export type Actions = {
  readonly namespace: Namespace
  /** How nodes are asked that do not speak JSON-RPC: where our server offers them below `/v1/`, and their client. */
  readonly node?: { path: string; createClient(settings: NodeSettings): Request }
  /** Whether a node says that it serves a network. */
  isNodeOf(parameters: { node: Request; network: Network }): Promise<boolean>
  /** With a network: whether the address is one of that network's. */
  isAddress(address: string, chainId?: ChainId): boolean
  /** An address as people compare it, with its checksum where there is one. Throws INVALID_ADDRESS. */
  formatAddress(address: string): string
  /** Native balance in the smallest unit. */
  balance(parameters: { node: Request; address: string }): Promise<bigint>
  /** Checks the draft against balance and fee, and prepares it. Throws INVALID_SEND_INPUT, INVALID_ADDRESS, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, and what else prevents it. */
  planTransfer(parameters: TransferQuestion): Promise<Plan>
  /** The most that can be sent, in the token's smallest unit: of the native currency what the fee leaves. */
  maxSend(
    parameters: Omit<TransferQuestion, 'amount' | 'wallet' | 'approvedMethods' | 'sleep'>,
  ): Promise<bigint>
  signMessage(parameters: { wallet: Request; address: string; message: string }): Promise<string>
  signTypedData?(parameters: {
    wallet: Request
    address: string
    chainId: ChainId
    typedData: unknown
  }): Promise<string>
  /**
   * Asks the wallet to change network, and to add one that it does not know. Where wallets are on no network of their own,
   * `selectChain` makes it the one that the page means.
   */
  switchTo?(parameters: {
    wallet: Request
    network: Network
    rpcUrl: string
    selectChain: (chainId: ChainId) => Promise<void>
  }): Promise<void>
  /** Batches of calls, which few pages send. */
  loadCalls?(): Promise<CallsActions>
  /** Swaps of tokens, which few visits make. */
  loadSwaps?(): Promise<SwapActions>
  /** Taking allowances back, which few visits do. */
  loadRevoke?(): Promise<RevokeActions>
  /** Whether the network calls the transaction's block final; false where the node does not say. */
  isFinal(parameters: { node: Request; hash: string }): Promise<boolean>
  /** Resolves once the transaction is in a block. Throws TRANSACTION_EXPIRED once no block can include it any more. */
  waitForTransaction(parameters: {
    node: Request
    /** Opens a socket to the node, for its subscriptions; undefined if there is none. */
    openSocket?: () => WebSocket | undefined
    hash: string
    signal: AbortSignal
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  }): Promise<{ status: 'success' | 'reverted' }>
}

/** A namespace's actions as they are loaded: where no node of its networks is read, some are missing. */
export type LoadedActions = Partial<Actions> &
  Pick<Actions, 'namespace' | 'isAddress' | 'formatAddress' | 'signMessage'>

/** An action that a namespace may lack. Throws METHOD_NOT_FOUND. */
export function getAction<Name extends keyof Actions>(
  actions: LoadedActions,
  name: Name,
): NonNullable<Actions[Name]> {
  const action = (actions as Partial<Actions>)[name]
  if (!action) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method: name } })
  return action
}
