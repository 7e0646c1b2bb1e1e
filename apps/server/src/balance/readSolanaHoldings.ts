import { nativeAddress } from '../evm/address.ts'
import { readAssets, type TokenAccount } from '../solana/readAssets.ts'
import type { ListedTokens } from '../tokens/listedTokens.ts'
import { isSpamToken } from '../tokens/spam.ts'
import type { TokenFacts } from '../tokens/tokenFacts.ts'
import type { BalanceSources, Holding, HoldingsQuery, ReadHoldings } from './holding.ts'

/**
 * SOL and all tokens of both token programs, with the accounts of one mint added up. Decimals come
 * from the mint and are kept with its other facts. A token's name comes from the lists, or else
 * from Token-2022 metadata; other tokens have no name. As on EVM chains, unlisted tokens have no
 * price unless forced, and are omitted if their own name shows that they are spam. Throws
 * RPC_UNAVAILABLE.
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
  const sums = addUp(assets.tokenAccounts, forced)
  const mints = [...sums.keys()]
  const facts = await getFacts(chainId, mints)
  const known = { listed, facts, forced }
  const native: Priceable = { ...chain.nativeCurrency, ...unpriced, amount: assets.lamports }
  const holdings = [native]
  for (const [mint, amount] of sums) {
    const token = nameSum({ mint, amount }, known)
    if (token !== undefined) holdings.push(token)
  }
  const priced = holdings.filter((one) => one === native || hasPrice(one, { listed, forced }))
  const prices = await readPrices({
    chainId,
    tokens: priced.map(({ address }) => address ?? nativeAddress),
    cache: forced.length > 0 ? 'pass' : 'use',
  })
  for (const [index, holding] of priced.entries()) holding.quote = prices[index]
  const isComplete = assets.isComplete && mints.every((mint) => facts.has(mint))
  return { holdings, isComplete, isPartial: !assets.isComplete }
}

type Priceable = Omit<Holding, 'quote'> & { quote: Holding['quote'] }

const unpriced = { address: undefined, quote: undefined }

/** Amounts by mint: those that are not zero, and the forced ones. */
function addUp(accounts: readonly TokenAccount[], forced: readonly string[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { mint, amount } of accounts)
    if (amount > 0n) sums.set(mint, (sums.get(mint) ?? 0n) + amount)
  for (const mint of forced) if (!sums.has(mint)) sums.set(mint, 0n)
  return sums
}

type TokenKnowledge = {
  readonly listed: ListedTokens
  readonly facts: ReadonlyMap<string, TokenFacts>
  readonly forced: readonly string[]
}

/** The holding; undefined for spam, and without decimals. */
function nameSum(
  { mint, amount }: { readonly mint: string; readonly amount: bigint },
  { listed, facts, forced }: TokenKnowledge,
): Priceable | undefined {
  const token = listed.tokens.get(mint)
  const fact = facts.get(mint)
  const decimals = fact?.decimals ?? token?.decimals
  if (decimals === undefined) return undefined
  const name = token?.name ?? fact?.name ?? undefined
  const symbol = token?.symbol ?? fact?.symbol ?? undefined
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
  return { name, symbol, decimals, address: mint, amount, quote: undefined }
}

const hasPrice = (
  { address = '', amount }: Priceable,
  { listed, forced }: Pick<TokenKnowledge, 'listed' | 'forced'>,
) => (amount > 0n && listed.tokens.has(address)) || forced.includes(address)
