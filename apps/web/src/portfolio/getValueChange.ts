import { sumDollars } from '@latchkey/react'
import type { PricePoint } from '@latchkey/wire'

/** A day without one and a half of the steps (30 minutes) between the points of a day. */
const wholeDayMs = 23.25 * 3_600_000

/**
 * The change of a value, in dollars and percent, since the first of its points. Undefined if the
 * points cover less than a day, or if there was no value: what has come since then is no change of
 * a value.
 */
export function getValueChange(points: readonly PricePoint[]) {
  const first = points[0]
  const last = points.at(-1)
  if (!first?.price || !last || last.atMs - first.atMs <= wholeDayMs) return undefined
  const change = sumDollars([last.price, -first.price]) ?? 0
  return { change, percent: (change / first.price) * 100, sinceMs: first.atMs }
}
