import type { ChainId } from '@latchkey/wire'
import type { Services } from '../services.ts'
import type { GetTokens } from './openTokenLists.ts'
import { getNameSkeleton } from './spam.ts'
import { type Token, tokenKey } from './token.ts'

/**
 * The listed tokens of a chain by {@link tokenKey}, and their symbols and names by
 * {@link getNameSkeleton}, including the native ones.
 */
export type ListedTokens = {
  readonly tokens: ReadonlyMap<string, Token>
  readonly knownNames: ReadonlySet<string>
}

export type GetListedTokens = (chainId: ChainId) => Promise<ListedTokens>

/** Indexes the lists of each chain once for each of their versions. */
export function indexListedTokens(
  { config }: Pick<Services, 'config'>,
  getTokens: GetTokens,
): GetListedTokens {
  const known = new Map<
    ChainId,
    { readonly from: readonly Token[]; readonly listed: ListedTokens }
  >()
  return async (chainId) => {
    const from = await getTokens(chainId)
    const cached = known.get(chainId)
    if (cached?.from === from) return cached.listed
    const native = config.chains[chainId]?.nativeCurrency
    const names = [native, ...from].flatMap((token) => [token?.symbol, token?.name])
    const listed: ListedTokens = {
      tokens: new Map(from.map((token) => [tokenKey(token.address), token])),
      knownNames: new Set(names.map(getNameSkeleton).filter(Boolean)),
    }
    known.set(chainId, { from, listed })
    return listed
  }
}
