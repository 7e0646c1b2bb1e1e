import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import type { ReadPrices } from './openPrices.ts'
import { type Price, priceNumber, priceScale } from './price.ts'

type EuroPriceDeps = Pick<Services, 'log'> & {
  readonly config: Pick<Config, 'chains'>
  readonly readPrices: ReadPrices
}

/** The euro has always been between these prices: a token outside them is not worth one euro. */
const minPrice = priceScale / 2n
const maxPrice = priceScale * 2n

/**
 * The price of a euro: the price of this network's `eur` token in the chains file, or else of
 * the first other network's `eur` token with a price. Undefined if there is no such price.
 * Test networks never price purchases on real networks, because anyone can move their pools with
 * worthless money.
 */
export async function readEuroPrice(
  { config: { chains }, log, readPrices }: EuroPriceDeps,
  chainId: ChainId,
): Promise<Price | undefined> {
  const others = Object.keys(chains).filter((id) => id !== chainId) as ChainId[]
  for (const id of [chainId, ...others]) {
    const eur = chains[id]?.eur
    if (eur === undefined || (chains[id]?.testnet && !chains[chainId]?.testnet)) continue
    const [quote] = await readPrices({ chainId: id, tokens: [eur] })
    if (quote === undefined) continue
    if (quote.price >= minPrice && quote.price <= maxPrice) return quote.price
    const refused = { chain: id, token: eur, dollars: priceNumber(quote.price) }
    log.warn(refused, 'the token configured as eur is not worth a euro')
  }
  return undefined
}
