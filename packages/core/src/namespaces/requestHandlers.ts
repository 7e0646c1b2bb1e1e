import type { ChainId } from '@latchkey/wire'
import type { Request } from './request.ts'

/** A request to a connector. */
export type ChainRequest = {
  chainId: ChainId
  method: string
  params: readonly unknown[] | object | undefined
}

/** The location of a batch of calls: the `caip345` capability of a wallet's response. */
export type StoredCalls = { atMs: number; chainId: ChainId; hashes: readonly string[] }

type Properties = Readonly<Record<string, unknown>>

/** The interface of a WalletConnect session for the rules of one namespace. */
export type SessionAccess = {
  /** The session's addresses, the selected address first. */
  addresses(): readonly string[]
  /** The current chain; undefined if the session has no chain in the namespace. */
  chainId(): ChainId | undefined
  /** Every approved chain of the namespace. */
  readonly approvedChainIds: readonly ChainId[]
  /** Whether the wallet approved a method on `chainId`, or on any chain if `chainId` is omitted. */
  allows(method: string, chainId?: ChainId): boolean
  /** Selects a chain. Throws CONNECTION_CHANGED if another session has replaced this session. */
  selectChain(chainId: ChainId): void
  sendRequest(request: ChainRequest): Promise<unknown>
  /**
   * Sends the request to the wallet if it approved the method, otherwise to the network's public
   * node.
   */
  requestWalletOrNode(request: ChainRequest): Promise<unknown>
  readonly sessionProperties: Properties | undefined
  readonly scopedProperties: Properties | undefined
  /** Adds a property to the session's current properties. */
  addProperty(change: (before: Properties) => Properties): void
  getCalls(id: string): StoredCalls | undefined
  addCalls(id: string, calls: StoredCalls): void
  /** The URL of a bundler with this name on the server. */
  bundlerUrl(chainId: ChainId, bundler: string): string
  /** The public node of a network; throws NO_RPC_URL. */
  node(chainId: ChainId): Promise<Request>
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly signal: AbortSignal
}

/** The interface of the secure frame for the rules of one namespace. */
type FrameAccess = {
  /** The wallet's chain, which the page may not have adopted yet. */
  readonly chainId: ChainId
  /** The addresses of the logged-in user, in the namespace of the request. */
  addresses(): Promise<readonly string[]>
  switchTo(chainId: ChainId): Promise<void>
  /** Sends a request to the frame; the user approves first if the method requires it. */
  ask(request: ChainRequest): Promise<unknown>
}

type Answers<Access> = Readonly<
  Record<string, (access: Access, request: ChainRequest) => Promise<unknown>>
>

/** The handlers of a namespace's requests that connectors do not simply forward, by method. */
export type RequestHandlers = {
  walletConnect: Answers<SessionAccess>
  embedded: Answers<FrameAccess>
  /**
   * Whether a result of the secure frame is plausible for the method; absent if `embedded` checks
   * its results itself.
   */
  isValidResult?(method: string, answer: unknown): boolean
  /** Whether a result of the secure frame reports that a batch has ended. */
  isOverBatch?(method: string, answer: unknown): boolean
  /**
   * Checks of a request's params by method, before any wallet receives it. Each throws
   * INVALID_PARAMS.
   */
  checks?: Readonly<Record<string, (params: unknown) => void>>
  /** Encodes a bigint in a request's params for JSON. */
  formatBigint(value: bigint): string
}
