/** A value in dollars as the locale writes it. */
export const formatDollars = (value: number, locale: string): string =>
  value.toLocaleString(locale, { style: 'currency', currency: 'USD' })
