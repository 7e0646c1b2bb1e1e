import type { AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'

/**
 * Whether allowances are listed on a network, and their source: found in its activity, confirmed by
 * its contracts.
 */
export function allowancesArea({ chains }: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  const chain = chains[chainId]
  if (chain === undefined) return off('The network is not configured')
  if (!isEvmChain(chainId)) return off('Allowances are available on eip155 networks only')
  const source = chain.activity?.source ?? 'rpc'
  if (source !== 'rpc')
    return off(`Allowances need the server's own activity index, but activity.source is ${source}`)
  return { on: true, source: "The index of the network's blocks, confirmed by its contracts" }
}

const off = (source: string): AreaState => ({ on: false, source })
