import type { LatchkeyError } from '@latchkey/wire'
import type { Config } from '../config.ts'
import type { Call } from '../extension/protocol.ts'
import type { State } from '../state.ts'

/** A row of a request's details; `tree` is shown as a nested list, `text` unchanged. */
export type Row = { label: string; value?: string; text?: string; tree?: unknown }

/** A request of a page or a session, with the data for its preparation. */
export type WalletRequest = {
  origin: string
  call: Call
  config: Config
  /** The state from the requester's view: with the account and network selected there. */
  state: State
  /** Selects the network of this id for the requester. */
  switchTo(chainId: number): Promise<void>
}

/**
 * A request for display, and the action of Approve. Without `approve` the request cannot be
 * allowed, and `refusal` is the reason.
 */
export type PreparedRequest = {
  title: string
  rows: Row[]
  warning?: string
  approve?: () => Promise<unknown>
  refusal?: LatchkeyError
}
