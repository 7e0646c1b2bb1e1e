import type { LatchkeyError } from '@latchkey/wire'
import type { Config } from '../config.ts'
import type { Call } from '../extension/protocol.ts'
import type { State } from '../state.ts'

/** A row of a request's details; `tree` is shown as a nested list, `text` as it was written. */
export type Row = { label: string; value?: string; text?: string; tree?: unknown }

/** A request that a page or a session makes, with what its preparation reads. */
export type WalletRequest = {
  origin: string
  call: Call
  config: Config
  /** As the requester sees it: with the account and network selected there. */
  state: State
  /** Selects the network of this id for the requester. */
  switchTo(chainId: number): Promise<void>
}

/**
 * What the user sees, and what Approve does. Without `approve` the request cannot be allowed, and
 * `refusal` says why.
 */
export type PreparedRequest = {
  title: string
  rows: Row[]
  warning?: string
  approve?: () => Promise<unknown>
  refusal?: LatchkeyError
}
