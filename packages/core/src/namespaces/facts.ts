import { type ChainId, isChainId, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Connector } from '../connection/connectors/connector.ts'
import type { Network } from '../networks.ts'
import type { Account, AccountType } from '../state.ts'
import type { LoadedActions } from './actions.ts'
import type { Request } from './request.ts'
import type { RequestRules, WalletRequest } from './requestRules.ts'
import type { TransactionReview } from './transactionReview.ts'

/** What a wallet may be asked for in some namespaces; `send` includes tokens and NFTs. */
export type WalletCapability = 'send' | 'signMessage' | 'signTypedData' | 'switchNetwork'

/** What is known of a namespace without loading its actions: small, synchronous and pure. */
export type Facts = {
  /** What people call it; a proper name, the same in all languages. */
  readonly name: string
  /**
   * What is possible in the namespace, each with the wallet methods of which one is needed; none
   * are needed where the list is empty. Views ask `getCapabilities`, which also knows the wallet.
   */
  readonly can: Readonly<Partial<Record<WalletCapability, readonly string[]>>>
  /** The type of an account whose wallet does not name one. */
  readonly accountType: AccountType
  /**
   * Whether a text has the form of an address, of a network's where one is given. Checksums are
   * verified by {@link Actions.isAddress}.
   */
  isAddress(text: string, chainId?: ChainId): boolean
  /** What all spellings of an address have in common. */
  getAddressKey(address: string): string
  /** Whether an address is the zero address, which belongs to nobody. */
  isZeroAddress(address: string): boolean
  /** Where explorers of the namespace show an account; `address` unless set. */
  readonly explorerPath?: string
  /** Whether its accounts sign in by an app's `siweConfig` (EIP-4361). */
  readonly hasSiwe?: true
  /** Whether the server can list NFTs on its networks. */
  readonly hasNfts?: true
  /** The token address by which the server knows the native currency. */
  readonly nativeTokenAddress?: string
  /** A chain as wallets name it: CAIP-2 or its reference, on EVM also as a number. */
  parseChainId(value: unknown): ChainId | undefined
  /**
   * Wallets that take no pairing in this namespace and connect only to a page in their own browser:
   * `wallet` matches their link, the encoded address of the page follows `link`.
   */
  readonly walletBrowsers?: readonly { wallet: RegExp; link: string }[]
  /**
   * How nodes of its networks are asked: by JSON-RPC, or by the client that the actions bring. A
   * node tells the native balance, and areas of the server are asked until they are known to be
   * off. Where no node is asked, nothing is requested until the server is known to have it.
   */
  readonly node?: 'jsonRpc' | 'rest'
  /** Loads the actions of the namespace; absent if the product has none yet. */
  loadActions?(): Promise<LoadedActions>
  /**
   * Methods whose params are checked before any wallet is asked, by the `checks` of the request
   * rules.
   */
  readonly checked?: readonly string[]
  /**
   * Methods of which a page's request is reviewed before the wallet is asked, and what reads them.
   */
  readonly reviewed?: { methods: readonly string[]; load(): Promise<ReadReview> }
  /**
   * The method by which a page has a batch of calls shown. Where the wallet does not know it, the
   * modal shows the batch.
   */
  readonly showsCalls?: string
  /** Loads how requests are answered that a wallet is not simply handed. */
  loadRequestRules?(): Promise<RequestRules>
}

/**
 * Reads a page's request so that the user can review it. `accounts` are the connected ones. Throws
 * INVALID_PARAMS, INVALID_ADDRESS and UNAUTHORIZED before anything is shown; `finish` looks up what
 * the request only claims, and throws INVALID_PARAMS for a lie.
 */
export type ReadReview = (parameters: {
  request: WalletRequest
  accounts: readonly Account[]
  network: Network
  node: Request
  /** Ends looking up. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}) => { finish(): Promise<TransactionReview> }

/** What is asked of a wallet in a WalletConnect session. */
export type WalletConnectFacts = {
  /** Methods that a wallet is asked to allow. */
  readonly methods: readonly string[]
  /** Ids of one chain: the present one, then the older one that some wallets still use. */
  readonly legacyChainIds?: readonly (readonly ChainId[])[]
  /** Loads what writes an address as the state keeps it; absent if wallets have one spelling. */
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
