import { checksumAddress } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { ApprovalView } from '../approval/approvalView.ts'
import type { FrameChain } from '../chains.ts'
import { approvals } from '../locales/approvals.en.ts'
import type { postWithoutProof } from '../pages/postWithoutProof.ts'
import type { ReadChain } from '../readChain.ts'
import type { KeyWorker } from '../wallet/worker/openKeyWorker.ts'
import type { CallsAccess } from './calls/callsAccess.ts'
import type { Counterparties } from './counterparties.ts'
import type { FetchDescription } from './descriptions/fetchDescription.ts'
import type { FetchSimulation } from './simulation/fetchSimulation.ts'
import type { FetchTokenClaims } from './solana/fetchTokenClaims.ts'

/**
 * A request that the user decides, with everything that its preparation may use. Only `params`
 * comes from the page.
 */
export type ApprovalRequest = {
  readonly method: string
  readonly params: unknown
  /** Verified origin of the page. */
  readonly origin: string
  readonly claimedName: string | undefined
  readonly chain: FrameChain
  readonly accounts: { readonly eip155: Hex; readonly solana: string }
  /**
   * Addresses that this browser has interacted with for the account on the network; EVM addresses
   * in lower case.
   */
  readonly known: readonly string[]
  readonly read: ReadChain
  readonly fetchTokenClaims: FetchTokenClaims
  readonly fetchSimulation: FetchSimulation
  readonly fetchDescription: FetchDescription
  /** Asks a route of our server, and the project of this page. */
  readonly post: typeof postWithoutProof
  readonly projectId: string
  /** Batches of this page, and how the account sends them. */
  readonly calls: CallsAccess
  readonly keys: Pick<KeyWorker, 'do'>
  readonly signal: AbortSignal
  readonly now: () => number
}

/** What is shown, and what approving does. `counterparties`: addresses to remember afterwards. */
export type PreparedRequest = {
  readonly view: Omit<ApprovalView, 'origin' | 'claimedName'>
  readonly counterparties?: Counterparties
  /** The error if the user rejects, where it is not USER_REJECTED. */
  readonly refusedAs?: 'UPGRADE_REJECTED'
  /**
   * What to review instead if the request would do more now than when it was prepared; undefined if
   * it would not. Called after the approval, before {@link PreparedRequest.approve}. Throws the
   * errors of preparing it.
   */
  recheck?(): Promise<PreparedRequest | undefined>
  approve(): Promise<unknown>
  /**
   * The same request with another amount (smallest units), where its view is `editable`. Throws
   * INVALID_PARAMS for one that is zero or more than the page asks for, and the errors of preparing
   * it.
   */
  edit?(amount: bigint): Promise<PreparedRequest>
}

/** The row with account and network, below the request. */
export const placeRows = ({ chain, accounts }: Pick<ApprovalRequest, 'chain' | 'accounts'>) => [
  { label: approvals.approve.network, value: chain.name },
  {
    label: approvals.approve.wallet,
    address: chain.namespace === 'eip155' ? checksumAddress(accounts.eip155) : accounts.solana,
  },
]
