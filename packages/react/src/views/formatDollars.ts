/** A value in dollars in the locale's format; a value below a cent has two significant digits. */
export const formatDollars = (value: number, locale: string): string => {
  const isSmall = value > 0 && value < 0.01
  const digits = isSmall ? { maximumSignificantDigits: 2 } : {}
  return value.toLocaleString(locale, { style: 'currency', currency: 'USD', ...digits })
}
