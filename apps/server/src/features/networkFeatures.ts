import type { Area, AreaState, ChainId } from '@latchkey/wire'
import { allowancesArea } from '../allowances/allowancesArea.ts'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import { faucetArea } from '../faucet/faucetArea.ts'
import { activityArea } from '../history/activityArea.ts'
import { identityArea } from '../identity/identityArea.ts'
import type { Gateways } from '../media/parseUri.ts'
import { nftsArea } from '../nfts/nftsArea.ts'
import { hasAssets, isOnrampChain } from '../onramp/assets.ts'
import { pricesArea } from '../prices/pricesArea.ts'

type NetworkFeaturesDeps = Pick<
  Config,
  'chains' | 'nameZones' | 'onramp' | 'priceSourceUrl' | keyof Gateways
>

/** The areas of a network: the source of each, or why it is off. */
export const getNetworkFeatures = (
  config: NetworkFeaturesDeps,
  chainId: ChainId,
): Record<Area, AreaState> => ({
  balance: { on: true, source: "The network's own nodes" },
  prices: pricesArea(config, chainId),
  activity: activityArea(config, chainId),
  nfts: nftsArea(config, chainId),
  allowances: allowancesArea(config, chainId),
  identity: identityArea(config, chainId),
  names: namesArea(config, chainId),
  swap: swapArea(config, chainId),
  onramp: onrampArea(config, chainId),
  faucet: faucetArea(config, chainId),
  sessions: sessionsArea(config, chainId),
})

/** Whether accounts of a network can register names, and below which zones. */
function namesArea({ nameZones }: Pick<Config, 'nameZones'>, chainId: ChainId): AreaState {
  if (!isEvmChain(chainId))
    return { on: false, source: 'Names are available on eip155 chains only' }
  if (nameZones.length === 0) return { on: false, source: 'NAME_ZONES names no zone' }
  return { on: true, source: `Names below ${nameZones.join(', ')}` }
}

/** Whether users can swap tokens on a network, and through which source. */
function swapArea({ chains }: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  if (!isEvmChain(chainId)) return { on: false, source: 'Swaps are for eip155 networks only' }
  const swap = chains[chainId]?.swap
  if (swap === undefined)
    return { on: false, source: 'The chains file names no `swap` for the network' }
  const source =
    swap.source === 'uniswap'
      ? 'Uniswap pools of the network, by its router'
      : '1inch, by SWAP_API_KEY, for clients of the API: the modal cannot check its transactions'
  return { on: true, source, kind: swap.source }
}

/** Whether sites can be permitted to act on their own on a network. */
function sessionsArea({ chains }: Pick<Config, 'chains'>, chainId: ChainId): AreaState {
  if (!isEvmChain(chainId))
    return { on: false, source: 'Smart sessions are for eip155 networks only' }
  return chains[chainId]?.smartAccounts?.permissions === true
    ? { on: true, source: 'The delegation framework on the network' }
    : { on: false, source: 'The chains file does not set `smartAccounts.permissions`' }
}

/** Whether users can buy something on a network, and from which providers. */
function onrampArea({ onramp }: Pick<Config, 'onramp'>, chainId: ChainId): AreaState {
  if (!isOnrampChain(chainId))
    return { on: false, source: 'Buying is for eip155 and solana networks only' }
  if (onramp.size === 0) return { on: false, source: 'ONRAMP_FILE names no provider' }
  const sellers = [...onramp.values()].filter((provider) => hasAssets(provider, chainId))
  if (sellers.length === 0)
    return { on: false, source: 'No provider of ONRAMP_FILE sells on this network' }
  return { on: true, source: sellers.map(({ name }) => name).join(', ') }
}
