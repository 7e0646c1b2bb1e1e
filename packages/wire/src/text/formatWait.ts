/**
 * Formats a waiting time in words: whole seconds ("30 seconds"), from two minutes on minutes,
 * rounded up ("59 minutes").
 */
export function formatWait(seconds: number, locale = 'en'): string {
  const isLong = seconds >= 120
  const unit = isLong ? 'minute' : 'second'
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.ceil(isLong ? seconds / 60 : seconds))
}
