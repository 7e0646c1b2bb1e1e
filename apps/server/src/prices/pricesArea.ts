import type { AreaState, ChainId } from '@latchkey/wire'
import { isBitcoinChain } from '../bitcoin/chain.ts'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'
import { isSolanaChain } from '../solana/chain.ts'
import { getExchange } from './exchange.ts'
import { getOutsideName } from './fetchExternalPrices.ts'

/** Whether assets on a network have a value in dollars, and the source of their prices. */
export function pricesArea(
  config: Pick<Config, 'chains' | 'priceSourceUrl'>,
  chainId: ChainId,
): AreaState {
  const chain = config.chains[chainId]
  const hasOutsideOnly = isSolanaChain(chainId) || isBitcoinChain(chainId)
  if (chain === undefined || !(isEvmChain(chainId) || hasOutsideOnly))
    return { on: false, source: 'Prices are available on eip155, solana and bip122 networks only' }
  const exchange = getExchange(chain)
  const sources = [
    ...(getOutsideName({ config }, chainId) === undefined ? [] : ['PRICE_SOURCE_URL']),
    ...(exchange?.v2Factory === undefined ? [] : ['Uniswap V2 pools']),
    ...(exchange?.v3 === undefined ? [] : ['Uniswap V3 pools']),
  ]
  if (sources.length > 0) return { on: true, source: sources.join(', ') }
  if (config.priceSourceUrl !== undefined)
    return off('set priceSourceChain to what PRICE_SOURCE_URL calls the network')
  if (chain.uniswapV3 !== undefined) return off('uniswapV3 lacks wrappedNative and usd')
  if (hasOutsideOnly) return off('set PRICE_SOURCE_URL')
  return off('set uniswapV2 or uniswapV3 in the chains file, or PRICE_SOURCE_URL')
}

const off = (reason: string): AreaState => ({ on: false, source: `No price source: ${reason}` })
