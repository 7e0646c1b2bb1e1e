import type { ChainId } from '@latchkey/wire'
import type { Request } from './request.ts'

/** A request as a connector is asked. */
export type WalletRequest = {
  chainId: ChainId
  method: string
  params: readonly unknown[] | object | undefined
}

/** Where a batch of calls ended up: the `caip345` capability of a wallet's answer. */
export type StoredCalls = { atMs: number; chainId: ChainId; hashes: readonly string[] }

type Properties = Readonly<Record<string, unknown>>

/** A WalletConnect session, as the rules of one namespace see it. */
export type SessionAccess = {
  /** Addresses in use, the selected one first. */
  addresses(): readonly string[]
  /** The chain in use; undefined where the session has none in the namespace. */
  chainId(): ChainId | undefined
  /** Every chain that is approved in the namespace. */
  readonly approvedChainIds: readonly ChainId[]
  /** Whether the wallet approved a method: on `chainId`, or on any chain where that is left out. */
  allows(method: string, chainId?: ChainId): boolean
  /**
   * Makes a chain the one in use. Throws CONNECTION_CHANGED where another session has taken this
   * one's place.
   */
  selectChain(chainId: ChainId): void
  askWallet(request: WalletRequest): Promise<unknown>
  /** Asks the wallet if it approved the method, otherwise the network's public node. */
  askWalletOrNode(request: WalletRequest): Promise<unknown>
  readonly sessionProperties: Properties | undefined
  readonly scopedProperties: Properties | undefined
  /** Adds a property to those that the session has by now. */
  addProperty(change: (before: Properties) => Properties): void
  getCalls(id: string): StoredCalls | undefined
  addCalls(id: string, calls: StoredCalls): void
  /** Where the server runs a bundler of this name. */
  bundlerUrl(chainId: ChainId, bundler: string): string
  /** The public node of a network; throws NO_RPC_URL. */
  node(chainId: ChainId): Promise<Request>
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly signal: AbortSignal
}

/** The secure frame, as the rules of one namespace see it. */
type FrameAccess = {
  /** The chain that the wallet is on, which the page may not have taken over yet. */
  readonly chainId: ChainId
  /** The addresses of the logged-in user, in the namespace of the request. */
  addresses(): Promise<readonly string[]>
  switchTo(chainId: ChainId): Promise<void>
  /** Has the frame answer; a person approves first where the method needs it. */
  ask(request: WalletRequest): Promise<unknown>
}

type Answers<Access> = Readonly<
  Record<string, (access: Access, request: WalletRequest) => Promise<unknown>>
>

/**
 * How a namespace's requests are answered by connectors that do not simply hand them on, by method.
 */
export type RequestRules = {
  walletConnect: Answers<SessionAccess>
  embedded: Answers<FrameAccess>
  /**
   * Whether an answer of the secure frame can be one of the method; absent where `embedded` checks
   * its answers itself.
   */
  isValidAnswer?(method: string, answer: unknown): boolean
  /** Whether an answer of the secure frame says that a batch is over. */
  isOverBatch?(method: string, answer: unknown): boolean
  /**
   * Checks of a request's params by method, before any wallet is asked. Each throws INVALID_PARAMS.
   */
  checks?: Readonly<Record<string, (params: unknown) => void>>
  /** A bigint among a request's params, as JSON has it. */
  formatBigint(value: bigint): string
}
