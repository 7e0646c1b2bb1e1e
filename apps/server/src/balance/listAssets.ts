import { type ChainId, cleanText, type ListedAsset, maxListedAssets } from '@latchkey/wire'
import { askedBy, getAsker } from '../activity/asker.ts'
import { isSpamToken } from '../tokens/spam.ts'
import { tokenKey } from '../tokens/token.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { compare, isShown, toBalance } from './formatBalance.ts'
import type { BalanceSources } from './holding.ts'
import { forcedKey } from './parseBalanceQuery.ts'
import { readHoldings } from './readHoldings.ts'

/** Sources of a list of assets. */
export type AssetSources = BalanceSources & { readonly getTokenIcon: GetTokenIcon }

/**
 * The assets of an account on an EVM network: the native currency, then the most valuable tokens,
 * at most {@link maxListedAssets}. `owner` is in lower case, `client` the address of the client.
 * `named` tokens are listed even with a zero balance, unless they are spam. They have no price if
 * none of the server's lists contains them, because anyone can create a token, a pool and a price.
 * Throws RPC_UNAVAILABLE.
 */
export async function listAssets(
  sources: AssetSources,
  parameters: {
    readonly chainId: ChainId
    readonly owner: string
    readonly named: readonly string[]
    readonly client: string
  },
): Promise<ListedAsset[]> {
  const { chainId, owner, named, client } = parameters
  const { activity, config, getTokenIcon } = sources
  const origin = { socketAddress: client, forwardedFor: undefined }
  const asked = activity && askedBy(activity, getAsker(config, origin))
  const [{ holdings: all }, { tokens, knownNames }] = await Promise.all([
    readHoldings({ ...sources, activity: asked }, { owner, chainId, forced: named }),
    sources.getListed(chainId),
  ])
  const holdings = all.flatMap((holding) => {
    const { address, name, symbol } = holding
    if (address === undefined || tokens.has(tokenKey(address))) return holding
    const move = { name, symbol, amount: 1n, listed: false, ownAct: false, knownNames }
    return isSpamToken(move) ? [] : { ...holding, quote: undefined }
  })
  const forced = new Map(named.map((token) => [forcedKey(`${chainId}:${token}`), token]))
  const format = { currency: 'usd', forced, getTokenIcon }
  const rows = holdings
    .filter((holding) => isShown({ chainId, holding }, { ...format, oneChain: true }))
    .map((holding) => ({
      native: holding.address === undefined,
      holding,
      balance: toBalance({ chainId, holding }, { ...format, forced: new Map() }),
    }))
  return rows
    .sort(compare)
    .slice(0, maxListedAssets)
    .map(({ holding, balance: { price, iconUrl } }) => ({
      address: holding.address ?? null,
      balance: `0x${holding.amount.toString(16)}`,
      name: cleanText(holding.name ?? '', { maxLength: 64 }) ?? '',
      symbol: cleanText(holding.symbol ?? '', { maxLength: 24 }) ?? '',
      decimals: holding.decimals,
      ...(price !== undefined && { price }),
      iconUrl: iconUrl ?? '',
    }))
}
