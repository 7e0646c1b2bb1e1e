import { type ChainId, LatchkeyError } from '@latchkey/wire'

/** The error for a chain whose nodes do not answer, or contradict each other. */
export const rpcUnavailable = (chainId: ChainId) =>
  new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
