import type { Shape } from '../shape.ts'

/**
 * How a message is published: `tag` is its kind for relays, `ttl` its lifetime in seconds, and
 * `prompt` wakes a sleeping wallet.
 */
export type Publish = { readonly tag: number; readonly ttl: number; readonly prompt: boolean }

/** One method of the Sign protocol, with its two messages and their shapes. */
export type RpcMethod = {
  readonly name: MethodName
  readonly request: Publish
  readonly response: Publish
  /** For an error response because the user rejected. */
  readonly reject?: Publish
  /** For an error response without prompting the user. */
  readonly autoReject?: Publish
  readonly params: Shape<unknown>
  readonly result: Shape<unknown>
}

/** Every method between two peers. */
export type MethodName =
  | 'wc_pairingDelete'
  | 'wc_pairingPing'
  | 'wc_sessionAuthenticate'
  | 'wc_sessionDelete'
  | 'wc_sessionEvent'
  | 'wc_sessionExtend'
  | 'wc_sessionPing'
  | 'wc_sessionPropose'
  | 'wc_sessionRequest'
  | 'wc_sessionSettle'
  | 'wc_sessionUpdate'
