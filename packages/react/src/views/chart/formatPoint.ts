import type { PricePeriod } from '@latchkey/wire'

/** A value in dollars: in cents from one dollar on, otherwise four significant digits. */
export const formatPoint = (value: number, locale: string): string =>
  value.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    ...(value > 0 && value < 1 && { maximumSignificantDigits: 4 }),
  })

const timeFormats: Readonly<Record<PricePeriod, Intl.DateTimeFormatOptions>> = {
  day: { hour: 'numeric', minute: '2-digit' },
  week: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  month: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
}

/** The time of a point of a period, as precise as the distance between its points. */
export const formatPointTime = (atMs: number, period: PricePeriod, locale: string): string =>
  new Date(atMs).toLocaleString(locale, timeFormats[period])
