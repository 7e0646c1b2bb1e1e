import type { PricePeriod } from '@latchkey/wire'

const timeFormats: Readonly<Record<PricePeriod, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  week: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  month: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
}

/**
 * The time of a point of a period, as precise as the distance between its points. A day that ends
 * now has hours of two days.
 */
export const formatPointTime = (atMs: number, period: PricePeriod, locale: string): string =>
  new Date(atMs).toLocaleString(locale, timeFormats[period])
