import type { Hex } from '../../evm/hex.ts'
import type { Ratio } from '../../prices/poolState.ts'
import type { SwapMarket } from './readMarket.ts'

/**
 * The price of a unit of gas in the smallest unit of the output token, at the mid prices of the
 * best path that contains the wrapped native currency. Undefined if no path contains it, or if the
 * node does not report a gas price.
 */
export function priceGas(
  { quotes, gasPriceWei }: Pick<SwapMarket, 'quotes' | 'gasPriceWei'>,
  wrappedNative: Hex,
): Ratio | undefined {
  if (gasPriceWei === undefined) return undefined
  const [best] = quotes
    .filter(({ path, outputs }) => path.tokens.includes(wrappedNative) && outputs.at(-1))
    .sort((one, other) => ((one.outputs.at(-1) ?? 0n) > (other.outputs.at(-1) ?? 0n) ? -1 : 1))
  if (best === undefined) return undefined
  return best.prices.slice(best.path.tokens.indexOf(wrappedNative)).reduce<Ratio>(
    (product, price) => ({
      numerator: product.numerator * price.numerator,
      denominator: product.denominator * price.denominator,
    }),
    { numerator: gasPriceWei, denominator: 1n },
  )
}
