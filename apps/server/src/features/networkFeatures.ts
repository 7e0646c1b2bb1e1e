import type { Area, AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import { faucetArea } from '../faucet/faucetArea.ts'
import { activityArea } from '../history/activityArea.ts'
import { identityArea } from '../identity/identityArea.ts'
import { nftsArea } from '../nfts/nftsArea.ts'
import { pricesArea } from '../prices/pricesArea.ts'

type Needs = Pick<Config, 'chains' | 'nameZones' | 'priceSourceUrl' | 'ipfsGateway'>

/** The truth table's row of a network: which areas are on and where each comes from, or why it is off. */
export const getNetworkFeatures = (config: Needs, chainId: ChainId): Record<Area, AreaState> => ({
  balance: { on: true, source: "The network's own nodes" },
  prices: pricesArea(config, chainId),
  activity: activityArea(config, chainId),
  nfts: nftsArea(config, chainId),
  identity: identityArea(config, chainId),
  names: namesArea(config, chainId),
  faucet: faucetArea(config, chainId),
})

/** Whether accounts of a network can register names, and below what. */
function namesArea({ nameZones }: Pick<Config, 'nameZones'>, chainId: ChainId): AreaState {
  if (!isEvmChain(chainId)) return { on: false, source: 'Names are for eip155 chains only' }
  if (nameZones.length === 0) return { on: false, source: 'NAME_ZONES names no zone' }
  return { on: true, source: `Names below ${nameZones.join(', ')}` }
}
