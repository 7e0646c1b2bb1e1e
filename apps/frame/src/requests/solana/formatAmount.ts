import { formatUnits } from '@latchkey/wire'
import type { FrameChain } from '../../chains.ts'
import { fill } from '../../locales/en.ts'
import { solanaTexts as t } from '../../locales/solana.en.ts'
import type { SolanaAmount } from './getEffects.ts'
import { wrappedSolMint } from './programs.ts'
import { type Accounts, parseDecimals, parseTokenAccount } from './readAccounts.ts'

/** An amount without a limit. */
export const unlimitedAmount = 2n ** 64n - 1n

/** The token of an amount: from the bytes, or else from our RPC's state of the account. */
export const getMint = (amount: SolanaAmount, accounts: Accounts): string | undefined =>
  amount.unit === 'lamports'
    ? undefined
    : (amount.mint ?? parseTokenAccount(accounts.get(amount.account))?.mint)

/** Formats an amount for use within a sentence. */
export function formatSolanaAmount(
  amount: SolanaAmount,
  { chain, accounts }: { chain: FrameChain; accounts: Accounts },
): string {
  const { symbol } = chain
  if (amount.unit === 'lamports')
    return amount.value === undefined
      ? fill(t.theRest, { symbol })
      : `${formatUnits(amount.value, chain.decimals)} ${symbol}`
  const mint = getMint(amount, accounts)
  if (amount.value === unlimitedAmount)
    return mint === undefined ? t.anyUnits : fill(t.anyAmount, { mint: shorten(mint) })
  if (amount.value === undefined)
    return mint === undefined ? t.hiddenUnits : fill(t.hiddenAmount, { mint: shorten(mint) })
  const decimals = amount.decimals ?? parseDecimals(accounts.get(mint ?? ''))
  return formatTokens(amount.value, { mint, decimals, symbol })
}

/**
 * The amount that an account receives, or that leaves it if the value is negative; SOL if `mint` is
 * undefined.
 */
export const toAmount = (change: bigint, mint?: string): SolanaAmount => {
  const value = change < 0n ? -change : change
  return mint === undefined
    ? { unit: 'lamports', value }
    : { unit: 'tokens', value, account: '', mint, decimals: undefined }
}

function formatTokens(
  value: bigint,
  {
    mint,
    decimals,
    symbol,
  }: { mint: string | undefined; decimals: number | undefined; symbol: string },
): string {
  if (mint === undefined || decimals === undefined) return fill(t.units, { amount: String(value) })
  const text = formatUnits(value, decimals)
  return mint === wrappedSolMint
    ? fill(t.wrapped, { amount: text, symbol })
    : fill(t.tokens, { amount: text, mint: shorten(mint) })
}

const shorten = (address: string) => `${address.slice(0, 4)}…${address.slice(-6)}`
