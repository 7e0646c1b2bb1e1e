import type { AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Gateways } from '../media/parseUri.ts'

/**
 * Whether NFTs are shown on a network, and their source: found in its activity, read from its
 * contracts.
 */
export function nftsArea(
  { chains, ipfsGateway, arweaveGateway }: Pick<Config, 'chains'> & Gateways,
  chainId: ChainId,
): AreaState {
  const chain = chains[chainId]
  if (chain === undefined) return off('The network is not configured')
  if (!isEvmChain(chainId)) return off('NFTs are available on eip155 networks only')
  const source = chain.activity?.source ?? 'rpc'
  if (source !== 'rpc')
    return off(`NFTs need the server's own activity index, but activity.source is ${source}`)
  const by = (scheme: string, variable: string, gateway: string | undefined) =>
    gateway === undefined ? `not ${scheme} without ${variable}` : `${scheme} by ${variable}`
  const ipfs = by('ipfs:', 'IPFS_GATEWAY', ipfsGateway)
  const arweave = by('ar:', 'ARWEAVE_GATEWAY', arweaveGateway)
  return {
    on: true,
    source: `The network's contracts; metadata by https: and data:, ${ipfs}, ${arweave}`,
  }
}

const off = (source: string): AreaState => ({ on: false, source })
