import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import type { ReadPrices } from './openPrices.ts'
import { type Price, priceNumber, priceScale } from './price.ts'

type Needs = Pick<Services, 'log'> & {
  readonly config: Pick<Config, 'chains'>
  readonly readPrices: ReadPrices
}

/** Between these the euro has always been: a token that costs less or more is not worth one. */
const minPrice = priceScale / 2n
const maxPrice = priceScale * 2n

/**
 * What a euro costs: the price of the token that the chains file names as `eur`, of this network,
 * or else of the first other one where it has a price. Undefined if there is none. Test networks
 * never price what is bought on a real one, because anybody can move their pools with money that is
 * worth nothing.
 */
export async function readEuroPrice(
  { config: { chains }, log, readPrices }: Needs,
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
    log.warn(refused, 'the token named as eur does not cost what a euro does')
  }
  return undefined
}
