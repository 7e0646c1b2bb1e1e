import { type ChainId, LatchkeyError, type Namespace } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Batch, CallsActions } from './batchCalls.ts'
import type { NodeSettings } from './nodeSettings.ts'
import type { PermissionActions } from './permissions.ts'
import type { Request } from './request.ts'
import type { RevokeActions } from './revokePlan.ts'
import type { SwapActions } from './swapPlan.ts'
import type { TransactionOutcome } from './transactionOutcome.ts'
import type { Plan, TransferQuestion } from './transferPlan.ts'
import type { AssetActions } from './walletAssets.ts'

/**
 * What can be done on the networks of one namespace. Pure: each action gets a `wallet` or `node`
 * request and keeps nothing.
 */
export type Actions = {
  readonly namespace: Namespace
  /**
   * How nodes are asked that do not speak JSON-RPC: where our server offers them below `/v1/`, and
   * their client.
   */
  readonly node?: { path: string; createClient(settings: NodeSettings): Request }
  /** Whether a node says that it serves a network. */
  isNodeOf(parameters: { node: Request; network: Network }): Promise<boolean>
  /** With a network: whether the address is one of that network's. */
  isAddress(address: string, chainId?: ChainId): boolean
  /**
   * An address as people compare it, with its checksum where there is one. Throws INVALID_ADDRESS.
   */
  formatAddress(address: string): string
  /** Native balance in the smallest unit. */
  balance(parameters: { node: Request; address: string }): Promise<bigint>
  /**
   * Checks the draft against balance and fee, and prepares it. Throws INVALID_SEND_INPUT,
   * INVALID_ADDRESS, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, and what else prevents it.
   */
  planTransfer(parameters: TransferQuestion): Promise<Plan>
  /**
   * The most that can be sent, in the token's smallest unit: of the native currency what the fee
   * leaves.
   */
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
   * Asks the wallet to change network, and to add one that it does not know. Where wallets are on
   * no network of their own, `selectChain` makes it the one that the page means.
   */
  switchTo?(parameters: {
    wallet: Request
    network: Network
    rpcUrl: string
    selectChain: (chainId: ChainId) => Promise<void>
  }): Promise<void>
  /** Batches of calls, which few pages send. */
  loadCalls?(): Promise<CallsActions>
  /** Lists of assets that wallets keep, which few do. */
  loadAssets?(): Promise<AssetActions>
  /** Swaps of tokens, which few visits make. */
  loadSwaps?(): Promise<SwapActions>
  /** Permissions for pages, which few ask for. */
  loadPermissions?(): Promise<PermissionActions>
  /** Taking allowances back, which few visits do. */
  loadRevoke?(): Promise<RevokeActions>
  /** Whether the network calls the transaction's block final; false where the node does not say. */
  isFinal(parameters: { node: Request; hash: string }): Promise<boolean>
  /**
   * Resolves once the transaction, or one in its place, is in a block. Throws TRANSACTION_EXPIRED
   * once no block can include it.
   */
  waitForTransaction(parameters: {
    node: Request
    /** Opens a socket to the node, for its subscriptions; undefined if there is none. */
    openSocket?: () => WebSocket | undefined
    hash: string
    /** The account that sent it, if that is known. */
    address?: string | undefined
    /**
     * Asks the wallet about the hash as the id of a batch (EIP-5792); undefined if it does not
     * answer.
     */
    readBatch?: () => Promise<Batch | undefined>
    signal: AbortSignal
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  }): Promise<TransactionOutcome>
  /**
   * Whether owners of the account may still have to confirm a transaction, because the account is a
   * contract.
   */
  awaitsOwners?(parameters: { node: Request; hash: string; address: string }): Promise<boolean>
}

/**
 * A namespace's actions as they are loaded: where no node of its networks is read, some are
 * missing.
 */
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
