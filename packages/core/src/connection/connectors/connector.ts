import type { ChainId, LatchkeyError, Namespace } from '@latchkey/wire'
import type { Account, AccountChoice, ConnectorInfo, PeerWallet, User } from '../../state.ts'
import type { Reviewed } from '../requests/reviewed.ts'

/**
 * An event of a session, with the names of WalletConnect's providers: `session_ping`,
 * `session_update`, or `session_event` with an event of the wallet.
 */
export type WalletMessage = { readonly name: string; readonly data: unknown }

/**
 * A pairing that the screen shows until `renewAtMs`. The wallet may respond until `expiresAtMs`.
 */
export type Pairing = {
  readonly uri: string
  readonly renewAtMs: number
  readonly expiresAtMs: number
}

export type ConnectorEvent =
  | { type: 'accountsChanged'; accounts: readonly Account[] }
  | { type: 'chainChanged'; chainId: ChainId }
  /**
   * The accounts and methods that a session allows now; `isOwn` if this page created its pairing.
   */
  | { type: 'changed'; result: ConnectResult; isOwn: boolean }
  /** A wallet event that does not change our state. */
  | { type: 'message'; message: WalletMessage }
  /** An error that the app's developer or operator must fix. */
  | { type: 'refused'; error: LatchkeyError }
  /** Without a namespace: all of them. */
  | { type: 'disconnect'; namespace?: Namespace }

export type ConnectResult = {
  accounts: readonly [Account, ...Account[]]
  chainId: ChainId
  /** The wallet behind a connector for many wallets. */
  wallet?: PeerWallet
  /** The logged-in user, for a connector that has a login. */
  user?: User
  /** The results in further namespaces, from the same approval. */
  others?: readonly ConnectResult[]
}

/**
 * A transaction that waits for confirmations: its nonce, and how many of the owners have confirmed
 * it.
 */
export type ConnectProposal = {
  readonly nonce: bigint
  readonly confirmed: number
  readonly required: number
}

/**
 * A way to reach a wallet. Has access to its provider, never to the store. Throws only
 * LatchkeyErrors.
 */
export type Connector = {
  readonly info: ConnectorInfo
  /**
   * Requests accounts at once, before anything is loaded: some browsers let a wallet open its
   * window only in a click. With `isAgain`, the user has disconnected this wallet, and it prompts
   * again for the accounts to use, if it can.
   */
  ask?(isAgain?: boolean): Promise<unknown>
  /** The connector itself, once its code is loaded; absent if it is loaded already. */
  load?(): Promise<Connector>
  /**
   * Lets the user choose other accounts of the same wallet; absent if the wallet does not support
   * that.
   */
  accountChoice?: {
    /** Whether the wallet supports such a request. Does not prompt. */
    isOffered(): Promise<boolean>
    /**
     * Prompts, and then reads the accounts that the wallet allows. Throws USER_REJECTED,
     * REQUEST_PENDING, UNSUPPORTED_METHOD.
     */
    ask(): Promise<ConnectResult | undefined>
  }
  /** Asks the wallet; may prompt. */
  connect(parameters: {
    chainId?: ChainId
    /** The result of an earlier `ask`. */
    response?: Promise<unknown> | undefined
    /** Whether the user has disconnected this wallet before. */
    isAgain?: boolean
    /** The wallet that the user chose, for a connector that reaches many. */
    wallet?: PeerWallet
    signal: AbortSignal
    onUri?: (pairing: Pairing) => void
    /** Why the relay is unreachable while a pairing is shown; undefined when it is back. */
    onRelay?: (problem: LatchkeyError | undefined) => void
    /** Lets the user choose an account. If absent, the first account is used. */
    onChoice?: (choice: AccountChoice) => void
  }): Promise<ConnectResult>
  /**
   * The connection that the wallet already allows, without a prompt; undefined if it allows
   * nothing.
   */
  authorized(parameters: { namespace: Namespace }): Promise<ConnectResult | undefined>
  /**
   * A request of the chain's own protocol (EIP-1193 on EVM). `review` is for connectors that review
   * requests in the modal: the proof that a view of the modal has already shown the request.
   */
  request(
    chainId: ChainId,
    method: string,
    params?: readonly unknown[] | object,
    review?: Reviewed,
  ): Promise<unknown>
  /**
   * Selects a chain if the wallet itself is on none. Throws CHAIN_NOT_SUPPORTED if the wallet does
   * not have the chain.
   */
  selectChain?(chainId: ChainId): Promise<void>
  /**
   * The methods that the wallet has approved on a chain; absent or undefined if that is unlimited
   * or not yet known.
   */
  approvedMethods?(chainId: ChainId): readonly string[] | undefined
  /**
   * The proposal that waits for confirmations from the account's owners, for connectors that
   * collect them; undefined if there is no proposal or the wallet does not report it.
   */
  readProposal?(): Promise<ConnectProposal | undefined>
  disconnect(): Promise<void>
  subscribe(listener: (event: ConnectorEvent) => void): () => void
}
