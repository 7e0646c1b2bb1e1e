import { type ChainId, isChainId, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Connector } from '../connection/connectors/connector.ts'
import type { Network } from '../networks.ts'
import type { Account, AccountType } from '../state.ts'
import type { LoadedActions } from './actions.ts'
import type { Request } from './request.ts'
import type { ChainRequest, RequestHandlers } from './requestHandlers.ts'
import type { TransactionReview } from './transactionReview.ts'

/** The capabilities that wallets have in some namespaces; `send` includes tokens and NFTs. */
export type WalletCapability = 'send' | 'signMessage' | 'signTypedData' | 'switchNetwork'

/**
 * The facts of a namespace that are available without loading its actions: small, synchronous and
 * pure.
 */
export type NamespaceMetadata = {
  /** The display name; a proper name, the same in all languages. */
  readonly name: string
  /**
   * The capabilities of the namespace. Each lists wallet methods, of which the wallet needs at
   * least one; an empty list requires none. Views use `getCapabilities`, which also considers the
   * wallet.
   */
  readonly can: Readonly<Partial<Record<WalletCapability, readonly string[]>>>
  /** The type of an account whose wallet does not name one. */
  readonly accountType: AccountType
  /**
   * Whether a string has the form of an address, on a network if `chainId` is given. {@link
   * Actions.isAddress} verifies checksums.
   */
  isAddress(text: string, chainId?: ChainId): boolean
  /** A key that all spellings of an address share. */
  getAddressKey(address: string): string
  /** Whether an address is the zero address, which has no owner. */
  isZeroAddress(address: string): boolean
  /** The path of an account on explorers of the namespace; `address` unless set. */
  readonly explorerPath?: string
  /** Whether its accounts sign in with the functions of `signIn.siwe` (EIP-4361). */
  readonly hasSiwe?: true
  /** Whether the server can list NFTs on its networks. */
  readonly hasNfts?: true
  /** Whether one request to the server returns the activity on all its networks. */
  readonly hasJointActivity?: true
  /** The address that stands for the native currency in the server's API. */
  readonly nativeTokenAddress?: string
  /** Parses a chain in wallet formats: CAIP-2 or its reference, on EVM also a number. */
  parseChainId(value: unknown): ChainId | undefined
  /**
   * Wallets that cannot pair in this namespace and connect only to a page in their own browser.
   * `wallet` matches their link; append the encoded address of the page to `link`.
   */
  readonly walletBrowsers?: readonly { wallet: RegExp; link: string }[]
  /**
   * The protocol of its nodes: JSON-RPC, or the client from the actions. With a node, the native
   * balance comes from the node, and requests go to the server's services until they are found to
   * be off. Without a node, requests start only when the server is known to offer the service.
   */
  readonly node?: 'jsonRpc' | 'rest'
  /** Loads the actions of the namespace; absent if the product does not have any yet. */
  loadActions?(): Promise<LoadedActions>
  /**
   * Methods whose params the `checks` of the request rules verify before any wallet receives them.
   */
  readonly checked?: readonly string[]
  /**
   * Methods whose requests are reviewed before the wallet receives them, and the parser for the
   * review.
   */
  readonly reviewed?: { methods: readonly string[]; load(): Promise<ReadReview> }
  /**
   * The method that shows a batch of calls. If the wallet does not support it, the modal shows the
   * batch.
   */
  readonly showsCalls?: string
  /** Loads the rules for requests that are not simply forwarded to a wallet. */
  loadRequestHandlers?(): Promise<RequestHandlers>
}

/**
 * Parses a page's request so that the user can review it. `accounts` are the connected accounts.
 * Throws INVALID_PARAMS, INVALID_ADDRESS and UNAUTHORIZED before anything is shown. `finish`
 * verifies claims of the request at the node, and throws INVALID_PARAMS if a claim is false.
 */
export type ReadReview = (parameters: {
  request: ChainRequest
  accounts: readonly Account[]
  network: Network
  node: Request
  /** Limits how long `finish` waits for the node. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}) => { finish(): Promise<TransactionReview> }

/** The facts of a namespace for WalletConnect sessions. */
export type WalletConnectMetadata = {
  /** Methods that the session proposal requests. */
  readonly methods: readonly string[]
  /** Ids of one chain: the current id, then the older id that some wallets still use. */
  readonly legacyChainIds?: readonly (readonly ChainId[])[]
  /**
   * Loads the function that normalizes an address for the state; absent if wallets use only one
   * spelling.
   */
  loadAddressWriter?(): Promise<(address: string) => string>
}

/** Adds each wallet of this browser as it is found, until the app is destroyed. */
export type WatchWallets = (app: App, add: (connector: Connector) => void) => void

/**
 * A chain as CAIP-2 or as its reference alone; undefined for anything else, and for a chain of
 * another namespace.
 */
export function readChainId(namespace: Namespace, value: unknown): ChainId | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string') return undefined
  const id = text.includes(':') ? text : `${namespace}:${text}`
  return isChainId(id) && id.startsWith(`${namespace}:`) ? id : undefined
}
