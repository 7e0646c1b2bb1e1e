import type { EventData, EventName, Method, Params, Protocol, Result } from './channelProtocol.ts'

/** The window this code runs in. */
export type LocalWindow = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** The other window, as a reference to one of another origin allows. */
export type RemoteWindow = {
  readonly closed: boolean
  postMessage(text: string, targetOrigin: string, transfer?: Transferable[]): void
}

export type Limits = {
  /** Longest message, in UTF-16 units of its JSON. */
  readonly maxLength: number
  /** Most requests open at one time. */
  readonly maxPending: number
  /** This many invalid messages close the channel; without it, they are only dropped. */
  readonly maxInvalid?: number
}

export const defaultLimits: Limits = { maxLength: 1_048_576, maxPending: 64 }
export const defaultTimeoutMs = 30_000

export type RequestOptions = {
  /** `null` waits as long as it takes: for requests that a user decides. */
  timeoutMs?: number | null
  signal?: AbortSignal
}

/** The asking side. */
export type Channel<P extends Protocol> = {
  /** Origin of the other window, verified. */
  readonly origin: string
  /** Fires once the channel is closed, by whichever side. */
  readonly closed: AbortSignal
  /**
   * Throws INVALID_PARAMS, ANSWER_INVALID, TIMEOUT, ABORTED, CHANNEL_CLOSED, CHANNEL_BUSY,
   * MESSAGE_TOO_LARGE, and what the other side threw.
   */
  request<M extends Method<P>>(
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
  readonly [M in Method<P>]: (
    params: Params<P, M>,
    context: { signal: AbortSignal },
  ) => Result<P, M> | Promise<Result<P, M>>
}
