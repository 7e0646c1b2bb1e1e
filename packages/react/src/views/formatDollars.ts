/** A value in dollars as the locale writes it; one below a cent with two digits that count. */
export const formatDollars = (value: number, locale: string): string => {
  const isSmall = value > 0 && value < 0.01
  const digits = isSmall ? { maximumSignificantDigits: 2 } : {}
  return value.toLocaleString(locale, { style: 'currency', currency: 'USD', ...digits })
}
