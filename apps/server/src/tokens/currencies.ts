import { badRequest, HttpFailure } from '../http/failure.ts'

/** The supported currencies of prices, in lower case. */
const currencies: ReadonlySet<string> = new Set([
  'btc',
  'eth',
  'usd',
  'eur',
  'gbp',
  'aud',
  'cad',
  'inr',
  'jpy',
])

/** The currency that a request names, in lower case. Throws {@link HttpFailure} with `status`. */
export function requireCurrency(text: string, status: 400 | 422 = 400): string {
  const currency = text.toLowerCase()
  if (currencies.has(currency)) return currency
  const description = `The currency is not one of ${[...currencies].join(', ')}`
  throw new HttpFailure({ ...badRequest('currency', description), status })
}
