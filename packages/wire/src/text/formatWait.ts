/**
 * How long somebody has to wait, in words: whole seconds as "30 seconds", from two minutes on as
 * "59 minutes", rounded up.
 */
export function formatWait(seconds: number, locale = 'en'): string {
  const isLong = seconds >= 120
  const unit = isLong ? 'minute' : 'second'
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.ceil(isLong ? seconds / 60 : seconds))
}
