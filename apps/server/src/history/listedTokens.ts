import type { ChainId } from '@latchkey/wire'
import type { Services } from '../services.ts'
import { skeletonOf } from './spam.ts'

type Token = {
  readonly address: `0x${string}`
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** The tokens that the lists of a chain name; the same array as long as the lists are the same. */
export type TokensOf = (chainId: ChainId) => Promise<readonly Token[]>

/** The listed tokens of a chain by lower-case address, and the symbols as an eye takes them in, the native one too. */
export type Listed = {
  readonly tokens: ReadonlyMap<string, Token>
  readonly knownSymbols: ReadonlySet<string>
}

/** Puts the lists of each chain in order once for each of their states. */
export function orderListed(
  { config }: Pick<Services, 'config'>,
  tokensOf: TokensOf,
): (chainId: ChainId) => Promise<Listed> {
  const known = new Map<ChainId, { readonly from: readonly Token[]; readonly listed: Listed }>()
  return async (chainId) => {
    const from = await tokensOf(chainId)
    const kept = known.get(chainId)
    if (kept?.from === from) return kept.listed
    const native = config.chains[chainId]?.nativeCurrency.symbol
    const symbols = [native, ...from.map(({ symbol }) => symbol)]
    const listed: Listed = {
      tokens: new Map(from.map((token) => [token.address.toLowerCase(), token])),
      knownSymbols: new Set(symbols.map(skeletonOf).filter(Boolean)),
    }
    known.set(chainId, { from, listed })
    return listed
  }
}
