import {
  type ChainId,
  convertQuotesRoute,
  isError,
  LatchkeyError,
  type SwapQuote as ServerQuote,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { toSwapId } from './swapId.ts'

/**
 * The server's quote for a swap. `expected` is in the smallest unit. The percentages are undefined
 * if unknown.
 */
export type SwapQuote = {
  expected: bigint
  feePercent: number | undefined
  impactPercent: number | undefined
  /** The paths that the amount takes; tokens are addresses. */
  route: readonly { percent: number; tokens: readonly string[]; exchanges: readonly string[] }[]
  /** Whether the swap only wraps or unwraps the native currency. */
  isWrap: boolean
}

/**
 * The parameters of a quote. A token without an address is the native currency; `amount` is in the
 * smallest unit.
 */
export type QuoteSwapParameters = {
  chainId: ChainId
  from: { address?: string }
  to: { address?: string }
  amount: bigint
}

/**
 * Fetches a quote for a swap. Throws SWAP_UNSUPPORTED, SWAP_REFUSED, SWAP_ALTERED and the errors of
 * `callRoute`.
 */
export async function quoteSwap(
  app: App,
  { signal, ...parameters }: QuoteSwapParameters & { signal?: AbortSignal | undefined },
): Promise<SwapQuote> {
  const query = toQuery(parameters)
  const { quotes } = await callRoute(app, { route: convertQuotesRoute, query, signal }).catch(
    explain,
  )
  const [quote] = quotes
  if (!quote) throw noLiquidity()
  return readQuote(quote, parameters)
}

/** The tokens and the amount in the format of the routes. */
export const toQuery = ({ chainId, from, to, amount }: QuoteSwapParameters) => ({
  from: toSwapId(chainId, from.address),
  to: toSwapId(chainId, to.address),
  amount: String(amount),
})

/**
 * Parses a quote. Throws SWAP_REFUSED for an empty quote, and SWAP_ALTERED for the quote of another
 * swap.
 */
export function readQuote(quote: ServerQuote, parameters: QuoteSwapParameters): SwapQuote {
  const { from, to, amount } = toQuery(parameters)
  const isSame =
    quote.fromAmount === amount &&
    quote.fromAccount.toLowerCase() === from &&
    quote.toAccount.toLowerCase() === to
  if (!isSame)
    throw new LatchkeyError('SWAP_ALTERED', { data: { reason: 'the quote is for another swap' } })
  const expected = BigInt(quote.toAmount)
  if (expected === 0n) throw noLiquidity()
  const { fee, priceImpact, route = [], isWrap = false } = quote
  return {
    expected,
    feePercent: fee === undefined ? undefined : Number(fee),
    impactPercent: priceImpact === undefined ? undefined : Number(priceImpact),
    route: route.map(({ percent, tokens, exchanges }) => ({
      percent,
      exchanges,
      tokens: tokens.map((id) => id.split(':').at(-1) ?? id),
    })),
    isWrap,
  }
}

/**
 * Converts the server's refusal of a swap into an error. The matched messages are in the
 * routes of the server.
 */
export function explain(error: unknown): never {
  if (!isError(error, 'HTTP_FAILED') || Number(error.data.status) !== 400) throw error
  const { reason: said } = error.data as { reason?: string | number }
  const reason = String(said ?? '').replace(/^Conversion parameter error: /, '')
  if (/Chain ID \S+ is not supported/i.test(reason))
    throw new LatchkeyError('SWAP_UNSUPPORTED', { cause: error })
  throw new LatchkeyError('SWAP_REFUSED', { data: { reason: reason || '400' }, cause: error })
}

const noLiquidity = () =>
  new LatchkeyError('SWAP_REFUSED', { data: { reason: 'insufficient liquidity' } })
