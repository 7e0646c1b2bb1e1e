import { type Area, type AreaState, type ChainId, parseChainId } from '@latchkey/wire'
import { hasBalances } from '../balance/readHoldings.ts'
import type { Config } from '../config.ts'
import { activityArea } from '../history/activityArea.ts'
import { identityArea } from '../identity/identityArea.ts'
import { nftsArea } from '../nfts/nftsArea.ts'
import { pricesArea } from '../prices/pricesArea.ts'

type Needs = Pick<Config, 'chains' | 'priceSourceUrl' | 'ipfsGateway'>

/** The truth table's row of a network: which areas are on and where each comes from, or why it is off. */
export const getNetworkFeatures = (config: Needs, chainId: ChainId): Record<Area, AreaState> => ({
  balance: balanceArea(chainId),
  prices: pricesArea(config, chainId),
  activity: activityArea(config, chainId),
  nfts: nftsArea(config, chainId),
  identity: identityArea(config, chainId),
})

/** Whether balances are read on a network, and where from. */
const balanceArea = (chainId: ChainId): AreaState =>
  hasBalances(parseChainId(chainId).namespace)
    ? { on: true, source: "The network's own nodes" }
    : { on: false, source: 'Balances are read on eip155, solana and bip122 networks only' }
