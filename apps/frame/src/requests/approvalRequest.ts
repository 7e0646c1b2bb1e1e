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
 * A request that the user approves or rejects, with everything that its preparation may use. Only
 * `params` comes from the page.
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
  /** Calls a route of our server. `projectId` is the project of this page. */
  readonly post: typeof postWithoutProof
  readonly projectId: string
  /** The page's batches, and how the account sends them. */
  readonly calls: CallsAccess
  readonly keys: Pick<KeyWorker, 'do'>
  readonly signal: AbortSignal
  readonly now: () => number
}

/**
 * The view of a request, and what approving it does. `counterparties`: addresses to remember
 * afterwards.
 */
export type PreparedApproval = {
  readonly view: Omit<ApprovalView, 'origin' | 'claimedName'>
  readonly counterparties?: Counterparties
  /** The error if the user rejects; USER_REJECTED by default. */
  readonly refusedAs?: 'UPGRADE_REJECTED'
  /**
   * Returns the request to review instead if it would do more now than when it was prepared, and
   * undefined otherwise. Called after the approval, before {@link PreparedApproval.approve}. Throws
   * the errors of preparing it.
   */
  recheck?(): Promise<PreparedApproval | undefined>
  /**
   * Executes the request and returns its result, or a function that waits for the result while the
   * user decides on other requests.
   */
  approve(): Promise<unknown>
  /**
   * Returns the same request with another amount (smallest units), if its view is `editable`.
   * Throws INVALID_PARAMS if the amount is zero or exceeds the requested amount, and the errors of
   * preparing the request.
   */
  edit?(amount: bigint): Promise<PreparedApproval>
}

/** The row with account and network, below the request. */
export const placeRows = ({ chain, accounts }: Pick<ApprovalRequest, 'chain' | 'accounts'>) => [
  { label: approvals.approve.network, value: chain.name },
  {
    label: approvals.approve.wallet,
    address: chain.namespace === 'eip155' ? checksumAddress(accounts.eip155) : accounts.solana,
  },
]
