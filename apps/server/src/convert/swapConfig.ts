import * as z from 'zod'
import { addressPattern } from '../evm/address.ts'

const address = z.string().regex(addressPattern, 'must be an address (0x and 40 hex digits)')

/** The source of swaps on a network of the chains file. */
export const swapSchema = z.discriminatedUnion('source', [
  z.object({
    /** The pools of `uniswapV2` and `uniswapV3`. */
    source: z.literal('uniswap'),
    /** A SwapRouter02, which serves the pools of both versions and is the one spender. */
    router: address,
    /** A QuoterV2; required for V3 pools. */
    quoter: address.optional(),
    /**
     * Tokens that others are often traded against, in addition to the wrapped native currency and
     * the dollar.
     */
    baseTokens: z.array(address).max(4).optional(),
  }),
  /** The aggregator at SWAP_API_URL, with SWAP_API_KEY. */
  z.object({ source: z.literal('1inch') }),
])
type SwapConfig = z.infer<typeof swapSchema>
export type UniswapConfig = Extract<SwapConfig, { source: 'uniswap' }>

/** Environment variables for the aggregator. */
export const swapEnvironment = {
  SWAP_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .default('https://api.1inch.com')
    .transform((url) => url.replace(/\/+$/, '')),
  SWAP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/, 'must be one word')
    .optional(),
} as const

type Chains = Readonly<
  Record<
    string,
    {
      readonly swap?: SwapConfig | undefined
      readonly multicall3?: string | undefined
      readonly uniswapV2?: object | undefined
      readonly uniswapV3?: { wrappedNative?: unknown; usd?: unknown } | undefined
    }
  >
>

/** The problems of the swaps in the chains file: a message for each missing requirement. */
export function swapProblems(chains: Chains, keys: { readonly SWAP_API_KEY?: unknown }): string[] {
  return Object.entries(chains).flatMap(([id, { swap, multicall3, uniswapV2, uniswapV3 }]) => {
    if (swap === undefined) return []
    const at = `CHAINS_FILE: chains.${id}.swap`
    if (!id.startsWith('eip155:')) return [`${at}: is for eip155 networks only`]
    if (swap.source === '1inch')
      return keys.SWAP_API_KEY ? [] : [`SWAP_API_KEY: must be set, because ${id} swaps by 1inch`]
    const hasPools = uniswapV2 ?? (uniswapV3?.wrappedNative && uniswapV3.usd)
    return [
      ...(multicall3 ? [] : [`${at}: needs multicall3`]),
      ...(hasPools ? [] : [`${at}: needs uniswapV2, or uniswapV3 with wrappedNative and usd`]),
      ...(uniswapV3 && !swap.quoter ? [`${at}: needs quoter for the pools of uniswapV3`] : []),
    ]
  })
}
