import type { AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import { ensChains } from './ensChains.ts'

/** Whether accounts of a network have names and avatars, and from where. */
export function identityArea(config: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  if (!isEvmChain(chainId)) return { on: false, source: 'Names are known for eip155 chains only' }
  const from = ensChains(config, chainId)
  if (from.length === 0)
    return { on: false, source: 'No network has `ens: { registry }` in the chains file' }
  return { on: true, source: `ENS on ${from.join(', ')}` }
}
