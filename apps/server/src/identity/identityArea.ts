import type { AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import { ensChains } from './ensChains.ts'

/** Whether accounts of a network have names and avatars, and their source. */
export function identityArea(
  config: Pick<Config, 'chains' | 'nameZones'>,
  chainId: ChainId,
): AreaState {
  if (!isEvmChain(chainId))
    return { on: false, source: 'Names are available on eip155 chains only' }
  const from = ensChains(config, chainId)
  const sources = [
    ...(from.length > 0 ? [`ENS on ${from.join(', ')}`] : []),
    ...(config.nameZones.length > 0 ? [`names below ${config.nameZones.join(', ')}`] : []),
  ]
  if (sources.length > 0) return { on: true, source: sources.join(', then ') }
  const source = 'No network has `ens: { registry }` in the chains file, and NAME_ZONES is not set'
  return { on: false, source }
}
