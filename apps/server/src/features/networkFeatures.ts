import type { Area, AreaState, ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { faucetArea } from '../faucet/faucetArea.ts'
import { activityArea } from '../history/activityArea.ts'
import { identityArea } from '../identity/identityArea.ts'
import { nftsArea } from '../nfts/nftsArea.ts'
import { pricesArea } from '../prices/pricesArea.ts'

type Needs = Pick<Config, 'chains' | 'priceSourceUrl' | 'ipfsGateway'>

/** The truth table's row of a network: which areas are on and where each comes from, or why it is off. */
export const getNetworkFeatures = (config: Needs, chainId: ChainId): Record<Area, AreaState> => ({
  balance: { on: true, source: "The network's own nodes" },
  prices: pricesArea(config, chainId),
  activity: activityArea(config, chainId),
  nfts: nftsArea(config, chainId),
  identity: identityArea(config, chainId),
  faucet: faucetArea(config, chainId),
})
