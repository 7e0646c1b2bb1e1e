import type { SwapDraft, SwapToken } from '@latchkey/core'
import { maxSlippage } from '@latchkey/core/internal'
import { type Balance, readDecimal } from '@latchkey/wire'

/**
 * Price impact or loss in percent from which a warning is shown, and from which it has to be
 * confirmed.
 */
const warnPercent = 3
const dangerPercent = 10
/** Slippage in percent from which, and below which, there is a warning. */
const highSlippage = 5
const lowSlippage = 0.1

export type SwapStep =
  | 'chooseToken'
  | 'addAmount'
  | 'incorrectValue'
  | 'insufficientBalance'
  | 'insufficientGas'
  | 'looking'
  | 'failed'
  | 'preview'

/** The first step that the form still needs; `preview` if complete. */
export function getSwapStep({
  draft,
  from,
  held,
  hasGas,
  quote,
  toUnits,
}: {
  draft: SwapDraft
  from: SwapToken | undefined
  /** The account's balance of the first token in decimal notation; undefined if unknown. */
  held: string | undefined
  hasGas: boolean
  quote: 'pending' | 'error' | 'success'
  /** Converts whole tokens to smallest units; throws on invalid numbers. */
  toUnits: (amount: string, decimals: number) => bigint
}): SwapStep {
  if (!from || !draft.to) return 'chooseToken'
  if (draft.amount === '') return 'addAmount'
  const units = readUnits(draft.amount, from.decimals, toUnits)
  if (units === undefined || units === 0n) return 'incorrectValue'
  const isKnown = held !== undefined
  if (isKnown && units > (readUnits(held, from.decimals, toUnits) ?? 0n))
    return 'insufficientBalance'
  if (!hasGas) return 'insufficientGas'
  return quote === 'pending' ? 'looking' : quote === 'error' ? 'failed' : 'preview'
}

/** Converts whole tokens into smallest units; undefined if that is not a number of them. */
export function readUnits(
  amount: string,
  decimals: number,
  toUnits: (amount: string, decimals: number) => bigint,
): bigint | undefined {
  try {
    return toUnits(amount, decimals)
  } catch {
    return undefined
  }
}

/** A held token in the form's format. A token's address in a balance is a CAIP-10 id. */
export function toSwapToken({ name, symbol, quantity, iconUrl, address }: Balance): SwapToken {
  const own = address?.split(':').at(-1)
  const token = { name, symbol, decimals: Number(quantity.decimals), iconUrl }
  return own ? { ...token, address: own } : token
}

/** Whether two tokens of a network are the same. */
export const isSameToken = (one: { address?: string }, other: { address?: string }): boolean =>
  one.address?.toLowerCase() === other.address?.toLowerCase()

/** The severity of a message about a cost in percent. */
export const getTone = (percent: number): 'quiet' | 'warn' | 'danger' =>
  percent >= dangerPercent ? 'danger' : percent >= warnPercent ? 'warn' : 'quiet'

/**
 * How many percent less the received amount is worth than the paid amount; 0 if it is worth more,
 * undefined if a price is unknown.
 */
export function getLossPercent(parameters: {
  paid: number
  received: number
  prices: readonly (number | undefined)[] | undefined
}): number | undefined {
  const [from, to] = parameters.prices ?? []
  if (!from || !to) return undefined
  const loss = 100 * (1 - (parameters.received * to) / (parameters.paid * from))
  return Number.isFinite(loss) ? Math.max(loss, 0) : undefined
}

/** A typed slippage, also with `%`; undefined unless it is an allowed percentage. */
export function readSlippage(typed: string): number | undefined {
  const read = readDecimal(typed.replace(/[%٪]\s*$/, ''), { locales: [] })
  const text = read && 'amount' in read ? read.amount : ''
  if (!/^\d{1,2}(\.\d{0,2})?$/.test(text)) return undefined
  const slippage = Number(text)
  return slippage <= maxSlippage ? slippage : undefined
}

/** The warning for a slippage. */
export const getSlippageWarning = (slippage: number) =>
  slippage > highSlippage
    ? 'swap.slippageHigh'
    : slippage < lowSlippage
      ? 'swap.slippageLow'
      : undefined
