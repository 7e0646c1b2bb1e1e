import { type ChainId, LatchkeyError, type Namespace } from '@latchkey/wire'
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

/** What became of a batch. `hashes`: its transactions, as far as they are mined. */
export type Batch = { status: BatchStatus; isAtomic: boolean; hashes: readonly string[] }

/** `ready`: the wallet will ask its user for it first. */
export type BatchCapabilities = { atomic: 'supported' | 'ready' | 'unsupported' }

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
  getCapabilities(parameters: CallsQuestion): Promise<BatchCapabilities>
}

/** What can be done on the networks of one namespace. Pure: each action gets a `wallet` or `node` request and keeps nothing. */
export type Actions = {
  readonly namespace: Namespace
  /** How nodes are asked that do not speak JSON-RPC: where our server offers them below `/v1/`, and their client. */
  readonly node?: { path: string; createClient(settings: NodeSettings): Request }
  isAddress(address: string): boolean
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
