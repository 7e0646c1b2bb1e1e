/** The currencies a price may be asked in, lower-case. */
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
