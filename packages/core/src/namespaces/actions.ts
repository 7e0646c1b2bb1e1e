import { type ChainId, LatchkeyError, type Namespace } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Batch, CallsActions } from './batchCalls.ts'
import type { NodeSettings } from './nodeSettings.ts'
import type { PermissionActions } from './permissions.ts'
import type { Request } from './request.ts'
import type { RevokeActions } from './revokePlan.ts'
import type { SwapActions } from './swapPlan.ts'
import type { TransactionOutcome } from './transactionOutcome.ts'
import type { Plan, PlanTransferParameters } from './transferPlan.ts'
import type { AssetActions } from './walletAssets.ts'

/**
 * The actions on the networks of one namespace. Pure: each action gets a `wallet` or `node` request
 * and keeps no state.
 */
export type Actions = {
  readonly namespace: Namespace
  /** The client of nodes that do not speak JSON-RPC, and their path on our server below `/v1/`. */
  readonly node?: { path: string; createClient(settings: NodeSettings): Request }
  /** Whether a node reports that it serves a network. */
  isNodeOf(parameters: { node: Request; network: Network }): Promise<boolean>
  /** Whether the address is valid; if `chainId` is given, on that network. */
  isAddress(address: string, chainId?: ChainId): boolean
  /**
   * Normalizes an address for display, with its checksum if the format has one. Throws
   * INVALID_ADDRESS.
   */
  formatAddress(address: string): string
  /** Native balance in the smallest unit. */
  balance(parameters: { node: Request; address: string }): Promise<bigint>
  /**
   * Checks the draft against balance and fee, and prepares it. Throws INVALID_SEND_INPUT,
   * INVALID_ADDRESS, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, and errors of the namespace.
   */
  planTransfer(parameters: PlanTransferParameters): Promise<Plan>
  /**
   * The largest amount that can be sent, in the token's smallest unit. For the native currency, the
   * balance minus the fee.
   */
  maxSend(
    parameters: Omit<PlanTransferParameters, 'amount' | 'wallet' | 'approvedMethods' | 'sleep'>,
  ): Promise<bigint>
  signMessage(parameters: { wallet: Request; address: string; message: string }): Promise<string>
  signTypedData?(parameters: {
    wallet: Request
    address: string
    chainId: ChainId
    typedData: unknown
  }): Promise<string>
  /**
   * Requests a switch to the network from the wallet, and adds the network if the wallet does not
   * have it. If wallets of the namespace have no current network, `selectChain` only selects it in
   * the app.
   */
  switchTo?(parameters: {
    wallet: Request
    network: Network
    rpcUrl: string
    selectChain: (chainId: ChainId) => Promise<void>
  }): Promise<void>
  /** Loads batches of calls, which few pages send. */
  loadCalls?(): Promise<CallsActions>
  /** Loads asset lists from wallets, which few wallets keep. */
  loadAssets?(): Promise<AssetActions>
  /** Loads token swaps, which few visits make. */
  loadSwaps?(): Promise<SwapActions>
  /** Loads permissions for pages, which few pages request. */
  loadPermissions?(): Promise<PermissionActions>
  /** Loads the revocation of allowances, which few visits need. */
  loadRevoke?(): Promise<RevokeActions>
  /** Whether the transaction's block is final; false if the node does not report it. */
  isFinal(parameters: { node: Request; hash: string }): Promise<boolean>
  /**
   * Resolves when the transaction or its replacement is in a block. Throws TRANSACTION_EXPIRED when
   * no block can include it.
   */
  waitForTransaction(parameters: {
    node: Request
    /**
     * Opens a socket to the node, for its subscriptions; undefined if the node does not offer one.
     */
    openSocket?: () => WebSocket | undefined
    hash: string
    /** The sender, if known. */
    address?: string | undefined
    /**
     * Queries the wallet for the batch whose id is the hash (EIP-5792); undefined if the wallet
     * does not respond.
     */
    readBatch?: () => Promise<Batch | undefined>
    signal: AbortSignal
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  }): Promise<TransactionOutcome>
  /** Whether the account is a contract whose owners may still have to confirm a transaction. */
  awaitsOwners?(parameters: { node: Request; hash: string; address: string }): Promise<boolean>
}

/** A namespace's actions as loaded. Some are missing if the namespace has no node. */
export type LoadedActions = Partial<Actions> &
  Pick<Actions, 'namespace' | 'isAddress' | 'formatAddress' | 'signMessage'>

/** Returns an action that a namespace may lack. Throws METHOD_NOT_FOUND. */
export function getAction<Name extends keyof Actions>(
  actions: LoadedActions,
  name: Name,
): NonNullable<Actions[Name]> {
  const action = (actions as Partial<Actions>)[name]
  if (!action) throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method: name } })
  return action
}
