import { createHash } from 'node:crypto'
import {
  type ChainId,
  nativeAsset,
  type OnrampOptions,
  type PaymentCurrency,
  parseChainId,
} from '@latchkey/wire'
import type { Config } from '../config.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { tokenKey } from '../tokens/token.ts'
import { getAssets, type ProviderConfig } from './onrampConfig.ts'

/**
 * A currency that can be bought on one network. `asset` is `native`, or a contract or mint in
 * normalized form.
 */
export type Asset = {
  readonly chainId: ChainId
  readonly asset: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** The id of an asset as clients send it. */
export const assetId = ({ chainId, asset }: Pick<Asset, 'chainId' | 'asset'>) =>
  `${chainId}/${asset}`

/** The limits of a single payment. */
export const paymentCurrencies: readonly PaymentCurrency[] = ['USD', 'EUR'].map((id) => ({
  id,
  payment_method_limits: [
    { id: 'card', min: '10.00', max: '7500.00' },
    { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
  ],
}))

/**
 * The USDC contracts of the issuer, and the providers' names of the networks. The native currency
 * of each network is sold as well.
 */
const publicNetworks: Readonly<Record<string, { readonly name: string; readonly usdc: string }>> = {
  'eip155:1': { name: 'ethereum-mainnet', usdc: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' },
  'eip155:10': { name: 'optimism-mainnet', usdc: '0x0b2c639c533813f4aa9d7837caf62653d097ff85' },
  'eip155:137': { name: 'polygon-mainnet', usdc: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359' },
  'eip155:8453': { name: 'base-mainnet', usdc: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
  'eip155:42161': { name: 'arbitrum-mainnet', usdc: '0xaf88d065e77c8cc2239327c5edb3a432268e5831' },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': {
    name: 'solana-mainnet',
    usdc: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
}
const usdc = { name: 'USD Coin', symbol: 'USDC', decimals: 6 }

/** Namespaces in which purchases can be sent and verified. */
const namespaces = new Set(['eip155', 'solana'])

/** Whether anything can be bought on a network, judging by its namespace. */
export const isOnrampChain = (chainId: ChainId): boolean =>
  namespaces.has(parseChainId(chainId).namespace)

function getWanted(provider: ProviderConfig, chainId: ChainId): readonly string[] {
  const known = publicNetworks[chainId]
  return getAssets(provider, chainId) ?? (known ? [nativeAsset, known.usdc] : [])
}

/** Whether a provider sells anything on a network. */
export const hasAssets = (provider: ProviderConfig, chainId: ChainId): boolean =>
  getWanted(provider, chainId).length > 0

type AssetsDeps = { readonly config: Pick<Config, 'chains'>; readonly getListed: GetListedTokens }

/**
 * The assets that a provider sells on the networks of this server. Leaves out tokens that no list
 * contains.
 */
export async function listOnrampAssets(
  deps: AssetsDeps,
  provider: ProviderConfig,
): Promise<Asset[]> {
  const chainIds = (Object.keys(deps.config.chains) as ChainId[]).filter(isOnrampChain)
  const lists = chainIds.map((chainId) => listOnChain(deps, { provider, chainId }))
  return (await Promise.all(lists)).flat()
}

async function listOnChain(
  { config, getListed }: AssetsDeps,
  { provider, chainId }: { readonly provider: ProviderConfig; readonly chainId: ChainId },
): Promise<Asset[]> {
  const known = publicNetworks[chainId]
  const wanted = getWanted(provider, chainId)
  const native = config.chains[chainId]?.nativeCurrency
  if (wanted.length === 0 || native === undefined) return []
  const { tokens } = await getListed(chainId)
  return wanted.flatMap((asset) => {
    if (asset === nativeAsset) return [{ chainId, asset, ...native }]
    const key = tokenKey(asset)
    const token = tokens.get(key) ?? (key === known?.usdc ? usdc : undefined)
    if (token === undefined) return []
    const { name, symbol, decimals } = token
    return [{ chainId, asset: key, name, symbol, decimals }]
  })
}

/** The assets in the format of the API: one entry for a symbol, with its networks. */
export function toPurchaseCurrencies(
  { chains }: Pick<Config, 'chains'>,
  assets: readonly Asset[],
): OnrampOptions['purchaseCurrencies'] {
  const bySymbol = new Map<string, OnrampOptions['purchaseCurrencies'][number]>()
  const seen = new Set<string>()
  for (const one of assets) {
    if (seen.has(assetId(one))) continue
    seen.add(assetId(one))
    const { symbol, name, chainId } = one
    const entry = bySymbol.get(symbol) ?? { id: toUuid(symbol), name, symbol, networks: [] }
    bySymbol.set(symbol, entry)
    entry.networks.push({
      name: publicNetworks[chainId]?.name ?? chainId,
      display_name: chains[chainId]?.name ?? chainId,
      chain_id: parseChainId(chainId).reference,
      contract_address: one.asset === nativeAsset ? '' : one.asset,
      chainId,
    })
  }
  return [...bySymbol.values()]
}

/**
 * The asset for a symbol and a network from a client; older clients send the symbol in place of the
 * network.
 */
export const findAsset = (
  assets: readonly Asset[],
  { symbol, network }: { readonly symbol: string; readonly network: string },
): Asset | undefined =>
  assets.find(
    (one) =>
      one.symbol === symbol &&
      (network === symbol ||
        network === one.chainId ||
        network === publicNetworks[one.chainId]?.name),
  )

/** Always the same id for a symbol (RFC 9562, version 8). */
function toUuid(symbol: string): string {
  const hex = createHash('sha256').update(`onramp ${symbol}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
