/** The supported currencies of prices, in lower case. */
export const currencies: ReadonlySet<string> = new Set([
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
