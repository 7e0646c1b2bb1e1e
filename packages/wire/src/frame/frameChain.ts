import { type ChainId, isChainId } from '../caip/caip.ts'

/** A chain as the frame names it: a number on EVM, CAIP-2 elsewhere. */
export const toFrameChain = (chainId: ChainId): number | string =>
  chainId.startsWith('eip155:') ? Number(chainId.slice('eip155:'.length)) : chainId

/** The chain that the frame names; undefined for a namespace that is not ours. */
export function fromFrameChain(chain: number | string): ChainId | undefined {
  const id = typeof chain === 'number' ? `eip155:${chain}` : chain
  return isChainId(id) ? id : undefined
}
