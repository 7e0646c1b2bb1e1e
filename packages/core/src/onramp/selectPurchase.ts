import {
  type ChainId,
  type OnrampProvider,
  type PaymentCurrency,
  type PaymentMethod,
  paymentMethods,
} from '@latchkey/wire'
import type { BuyDraft } from '../modal/views.ts'
import type { BuyOptions, BuyToken } from './buyOptions.ts'

/** The effective form values: the user's choice if still available, else the first option. */
export type BuySelection = {
  readonly chainId: ChainId
  readonly token: BuyToken
  readonly currency: string
  readonly currencies: readonly PaymentCurrency[]
  readonly method: PaymentMethod
  readonly methods: readonly PaymentMethod[]
  readonly provider: OnrampProvider
  /** The providers that sell exactly this. */
  readonly providers: readonly OnrampProvider[]
  /** Decimal strings in the currency. */
  readonly limits: { readonly min: string; readonly max: string }
}

/** Fills in a form from the buying options; undefined if nothing can be bought. */
export function selectPurchase(options: BuyOptions, draft: BuyDraft): BuySelection | undefined {
  const { chainId } = options
  const token = choose(options.tokens, ({ asset }) => asset === draft.asset)
  const sellers = options.providers.filter(({ assets }) =>
    assets.includes(`${chainId}/${token?.asset}`),
  )
  const currencies = options.currencies.filter(({ id }) =>
    sellers.some((seller) => seller.currencies.includes(id)),
  )
  const currency = choose(currencies, ({ id }) => id === draft.currency)
  const taking = sellers.filter((seller) => seller.currencies.includes(currency?.id ?? ''))
  const limitsOf = (method: PaymentMethod) =>
    currency?.payment_method_limits.find(({ id }) => id === method)
  const methods = paymentMethods.filter(
    (method) => limitsOf(method) && taking.some((seller) => seller.methods.includes(method)),
  )
  const method = choose(methods, (one) => one === draft.method)
  const providers = taking.filter((seller) => method && seller.methods.includes(method))
  const provider = choose(providers, ({ id }) => id === draft.provider)
  const limits = method && limitsOf(method)
  if (!token || !currency || !method || !provider || !limits) return undefined
  const { id } = currency
  return { chainId, token, currency: id, currencies, method, methods, provider, providers, limits }
}

const choose = <One>(all: readonly One[], isChosen: (one: One) => boolean): One | undefined =>
  all.find(isChosen) ?? all[0]

/** Why a typed amount cannot be paid. */
export type AmountProblem = 'empty' | 'invalid' | 'tooLow' | 'tooHigh'

/** The amount in the server's format, or its problem. At most two decimals. */
export function parseBuyAmount(
  typed: string,
  { min, max }: BuySelection['limits'],
): { readonly amount: string } | { readonly problem: AmountProblem } {
  if (typed === '') return { problem: 'empty' }
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(typed) ?? []
  if (whole === undefined) return { problem: 'invalid' }
  const amount = `${BigInt(whole)}.${fraction.padEnd(2, '0')}`
  if (parseCents(amount) < parseCents(min)) return { problem: 'tooLow' }
  return parseCents(amount) > parseCents(max) ? { problem: 'tooHigh' } : { amount }
}

/** A decimal string in hundredths. */
export const parseCents = (amount: string): number => Math.round(Number(amount) * 100)
