import { nativeAddress } from '../evm/address.ts'
import { token2022Program } from '../solana/address.ts'
import { readAssets, type TokenAccount } from '../solana/readAssets.ts'
import type { ListedTokens } from '../tokens/listedTokens.ts'
import { isSpamToken } from '../tokens/spam.ts'
import type { TokenFacts } from '../tokens/tokenFacts.ts'
import type { BalanceSources, Holding, HoldingsQuery, ReadHoldings } from './holding.ts'

/**
 * SOL and all tokens of both programs, the accounts of one mint added up. A token is named by the lists, or else by
 * Token-2022's metadata; other names stay unknown. As on EVM chains, what no list names has no price unless forced, and
 * is left out where its own name shows that it is spam. Throws RPC_UNAVAILABLE.
 */
export async function readSolanaHoldings(
  sources: BalanceSources,
  { owner, chainId, forced }: HoldingsQuery,
): Promise<ReadHoldings> {
  const { config, upstreams, getListed, getFacts, readPrices } = sources
  const chain = config.chains[chainId]
  if (chain === undefined) return { holdings: [], isComplete: true }
  const [assets, listed] = await Promise.all([
    readAssets({ upstreams, chainId }, owner),
    getListed(chainId),
  ])
  const sums = addUp(assets.tokenAccounts)
  const unknown = [
    ...[...sums.values()].filter(isUnnamed(listed)).map(({ mint }) => mint),
    ...forced.filter((mint) => !sums.has(mint) && !listed.tokens.has(mint)),
  ]
  const facts = await getFacts(chainId, unknown)
  const tokens = [
    ...[...sums.values()].flatMap((sum) => nameSum(sum, { listed, facts, forced }) ?? []),
    ...forced
      .filter((mint) => !sums.has(mint))
      .flatMap((mint) => emptyHolding(mint, listed, facts)),
  ]
  const native: Unpriced = { ...chain.nativeCurrency, address: undefined, amount: assets.lamports }
  const priced = [native, ...tokens.filter((one) => hasPrice(one, { listed, forced }))]
  const prices = await readPrices({
    chainId,
    tokens: priced.map(({ address }) => address ?? nativeAddress),
    cache: forced.length > 0 ? 'pass' : 'use',
  })
  const quotes = new Map(priced.map((holding, index) => [holding, prices[index]]))
  const holdings = [native, ...tokens].map((one) => ({ ...one, quote: quotes.get(one) }))
  return { holdings, isComplete: unknown.every((mint) => facts.has(mint)) }
}

type Sum = Pick<TokenAccount, 'mint' | 'program' | 'amount' | 'decimals'>
type Unpriced = Omit<Holding, 'quote'>

function addUp(accounts: readonly TokenAccount[]): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const { mint, program, amount, decimals } of accounts) {
    const before = sums.get(mint)?.amount ?? 0n
    sums.set(mint, { mint, program, decimals, amount: before + amount })
  }
  return sums
}

/** Held tokens that only their mint can name. The older program has no names, and tokens without decimals are not shown. */
const isUnnamed =
  ({ tokens }: ListedTokens) =>
  ({ mint, program, amount, decimals }: Sum) =>
    program === token2022Program && amount > 0n && decimals > 0 && !tokens.has(mint)

type Known = {
  readonly listed: ListedTokens
  readonly facts: ReadonlyMap<string, TokenFacts>
  readonly forced: readonly string[]
}

/** The holding; undefined for spam. */
function nameSum({ mint, amount, decimals }: Sum, known: Known): Unpriced | undefined {
  const { listed, facts, forced } = known
  const token = listed.tokens.get(mint)
  const name = token?.name ?? facts.get(mint)?.name ?? undefined
  const symbol = token?.symbol ?? facts.get(mint)?.symbol ?? undefined
  const { knownNames } = listed
  const isListed = token !== undefined
  const spam = isSpamToken({
    name,
    symbol,
    amount: 1n,
    listed: isListed,
    ownAct: false,
    knownNames,
  })
  if (spam && !forced.includes(mint)) return undefined
  return { name, symbol, decimals, address: mint, amount }
}

function emptyHolding(
  mint: string,
  { tokens }: ListedTokens,
  facts: ReadonlyMap<string, TokenFacts>,
): Unpriced[] {
  const { name, symbol, decimals } = tokens.get(mint) ?? facts.get(mint) ?? {}
  if (decimals === undefined || decimals === null) return []
  return [
    { name: name ?? undefined, symbol: symbol ?? undefined, decimals, address: mint, amount: 0n },
  ]
}

const hasPrice = (
  { address = '', amount }: Unpriced,
  { listed, forced }: Pick<Known, 'listed' | 'forced'>,
) => (amount > 0n && listed.tokens.has(address)) || forced.includes(address)
