/** Money in a currency, `$10.00`; an amount is a decimal string. */
export const formatMoney = (
  { amount, currency }: { amount: string; currency: string },
  locale: string | undefined,
): string => Number(amount).toLocaleString(locale, { style: 'currency', currency })

/**
 * At most six decimals of a decimal string, truncated, so that no one expects more than they get.
 */
export function formatBought(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const shown = fraction.slice(0, 6).replace(/0+$/, '')
  if (shown === '' && whole === '0' && /[1-9]/.test(fraction)) return '<0.000001'
  return shown === '' ? whole : `${whole}.${shown}`
}
