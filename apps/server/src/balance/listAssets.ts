import {
  type ChainId,
  cleanText,
  type ListedAsset,
  maxListedAssets,
  type TokenMark,
} from '@latchkey/wire'
import { askedBy, getAsker } from '../activity/asker.ts'
import { markToken } from '../tokens/spam.ts'
import { tokenKey } from '../tokens/token.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import { compare, isShown, toBalance } from './formatBalance.ts'
import type { BalanceSources, Holding } from './holding.ts'
import { forcedKey } from './parseBalanceQuery.ts'
import { readHoldings } from './readHoldings.ts'

/** Sources of a list of assets. */
export type AssetSources = BalanceSources & { readonly getTokenIcon: GetTokenIcon }

/**
 * The assets of an account on an EVM network: the native currency, then the most valuable tokens,
 * at most {@link maxListedAssets}. `owner` is in lower case, `client` the address of the client.
 * `named` tokens are listed even with a zero balance; those that are spam are `suspects` instead.
 * They have no price if none of the server's lists contains them, because anyone can create a
 * token, a pool and a price. Throws RPC_UNAVAILABLE.
 */
export async function listAssets(
  sources: AssetSources,
  parameters: {
    readonly chainId: ChainId
    readonly owner: string
    readonly named: readonly string[]
    readonly client: string
  },
): Promise<{ assets: ListedAsset[]; suspects: (ListedAsset & { mark: TokenMark })[] }> {
  const { chainId, owner, named, client } = parameters
  const { activity, config, getTokenIcon } = sources
  const origin = { socketAddress: client, forwardedFor: undefined }
  const asked = activity && askedBy(activity, getAsker(config, origin))
  const [{ holdings: all }, { tokens, knownNames }] = await Promise.all([
    readHoldings({ ...sources, activity: asked }, { owner, chainId, forced: named }),
    sources.getListed(chainId),
  ])
  const marked = all.map((holding) => {
    const { address, name, symbol } = holding
    if (address === undefined || tokens.has(tokenKey(address))) return { holding, mark: undefined }
    const mark = markToken({ name, symbol, knownNames })
    return { holding: { ...holding, quote: undefined }, mark, isUnlisted: true }
  })
  const forced = new Map(named.map((token) => [forcedKey(`${chainId}:${token}`), token]))
  const format = { currency: 'usd', forced: new Map<string, string>(), getTokenIcon }
  const rows = marked
    .filter(({ holding }) => isShown({ chainId, holding }, { forced, oneChain: true }))
    .map(({ holding, mark, isUnlisted }) => ({
      native: holding.address === undefined,
      holding,
      mark,
      // Pictures are found by symbol, and an unlisted token may have the symbol of any other.
      balance: toBalance({ chainId, holding }, { ...format, ...(isUnlisted && noIcons) }),
    }))
  const good = rows.filter(({ mark }) => mark === undefined).sort(compare)
  return {
    assets: good.slice(0, maxListedAssets).map(toListed),
    suspects: rows.flatMap(({ mark, ...row }) => {
      const isNamed = named.includes(row.holding.address?.toLowerCase() ?? '')
      return mark && isNamed ? [{ ...toListed(row), mark }] : []
    }),
  }
}

const noIcons = { getTokenIcon: () => '' }

type Row = { readonly holding: Holding; readonly balance: ReturnType<typeof toBalance> }

const toListed = ({ holding, balance: { price, iconUrl } }: Row): ListedAsset => ({
  address: holding.address ?? null,
  balance: `0x${holding.amount.toString(16)}`,
  name: cleanText(holding.name ?? '', { maxLength: 64 }) ?? '',
  symbol: cleanText(holding.symbol ?? '', { maxLength: 24 }) ?? '',
  decimals: holding.decimals,
  ...(price !== undefined && { price }),
  iconUrl: iconUrl ?? '',
})
