import type {
  ChannelMethod,
  EventData,
  EventName,
  Params,
  Protocol,
  Result,
} from './channelProtocol.ts'

/** The window this code runs in. */
export type LocalWindow = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** The other window, limited to what a cross-origin reference allows. */
export type RemoteWindow = {
  readonly closed: boolean
  postMessage(text: string, targetOrigin: string, transfer?: Transferable[]): void
}

export type Limits = {
  /** Longest message, in UTF-16 units of its JSON. */
  readonly maxLength: number
  /** Maximum number of pending requests. */
  readonly maxPending: number
  /**
   * The number of invalid messages that closes the channel; if undefined, they are only dropped.
   */
  readonly maxInvalid?: number
}

export const defaultLimits: Limits = { maxLength: 1_048_576, maxPending: 64 }
export const defaultTimeoutMs = 30_000

export type RequestOptions = {
  /** `null`: no timeout, for requests that wait for the user. */
  timeoutMs?: number | null
  signal?: AbortSignal
}

/** The requesting side. */
export type Channel<P extends Protocol> = {
  /** Origin of the other window, verified. */
  readonly origin: string
  /** Fires when either side closes the channel. */
  readonly closed: AbortSignal
  /**
   * Throws INVALID_PARAMS, ANSWER_INVALID, TIMEOUT, ABORTED, CHANNEL_CLOSED, CHANNEL_BUSY,
   * MESSAGE_TOO_LARGE, and the errors of the other side.
   */
  request<M extends ChannelMethod<P>>(
    method: M,
    params: Params<P, M>,
    options?: RequestOptions,
  ): Promise<Result<P, M>>
  close(): void
}

/** The serving side. */
export type ServedChannel<P extends Protocol> = {
  readonly origin: string
  readonly closed: AbortSignal
  emit<E extends EventName<P>>(name: E, data: EventData<P, E>): void
  close(): void
}

export type Handlers<P extends Protocol> = {
  readonly [M in ChannelMethod<P>]: (
    params: Params<P, M>,
    context: { signal: AbortSignal },
  ) => Result<P, M> | Promise<Result<P, M>>
}
