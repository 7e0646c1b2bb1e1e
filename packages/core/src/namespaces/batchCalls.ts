import type { ChainId } from '@latchkey/wire'
import type { Request } from './request.ts'

/** One call of a batch (EIP-5792). `value` is in the smallest unit. */
export type BatchCall = { to: string; data?: string; value?: bigint }

/** `partial`: some of the transactions were reverted. */
export type BatchStatus = 'pending' | 'confirmed' | 'failed' | 'partial'

/** What became of a batch. `chainId`: where the wallet says it. `hashes`: its transactions, as far as they are mined. */
export type Batch = {
  status: BatchStatus
  isAtomic: boolean
  hashes: readonly string[]
  chainId?: ChainId
}

/**
 * `ready`: the wallet will ask its user for it first. `isSponsored`: the wallet's operator pays fees of what the account sends
 * on the network, within limits that only the wallet knows.
 */
export type BatchCapabilities = {
  atomic: 'supported' | 'ready' | 'unsupported'
  isSponsored: boolean
}

type CallsQuestion = {
  wallet: Request
  address: string
  chainId: ChainId
  approvedMethods: readonly string[] | undefined
}

/** Batches of calls, where a namespace has them. */
export type CallsActions = {
  send(
    parameters: CallsQuestion & { calls: readonly BatchCall[]; isAtomic?: boolean; id?: string },
  ): Promise<string>
  getStatus(parameters: CallsQuestion & { id: string }): Promise<Batch>
  /** Has the wallet show a batch. Throws UNSUPPORTED_METHOD and its like where it shows none. */
  show(parameters: CallsQuestion & { id: string }): Promise<void>
  getCapabilities(parameters: CallsQuestion): Promise<BatchCapabilities>
  /**
   * The parameters with which a paymaster is asked whether it would pay for a call of the account (ERC-7677), with the gas of a
   * payment at most. `to`: the called contract or receiver; none if it is not known, which who pays for some contracts alone refuses.
   */
  draftSponsored(parameters: {
    node: Request
    address: string
    chainId: ChainId
    to: string | undefined
  }): Promise<readonly unknown[]>
}
