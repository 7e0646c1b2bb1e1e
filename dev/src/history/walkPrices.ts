import type { PricePoint } from '@latchkey/wire'

const stepMs = 30 * 60_000
const hourMs = 2 * stepMs
const dayMs = 24 * hourMs
/** The longest step of a walk, and the share of its distance that is left after a step. */
const stride = 0.006
const left = 0.995
/** The growth of a price in 30 days. */
const growth = 0.08

/** A walk: `seed` decides its shape, and `swing` how far it goes. With 0 the price is constant. */
export type Walk = { readonly seed: number; readonly swing: number }

/**
 * Earlier prices of a token, the earliest first: a random walk that ends at `present`. The same
 * seed always gives the same shape. The points of the last day are half an hour apart, earlier
 * points an hour.
 */
export function walkPrices(parameters: {
  walk: Walk
  /** The present price in dollars. */
  present: number
  sinceMs: number
  untilMs: number
}): PricePoint[] {
  const { walk, present, sinceMs, untilMs } = parameters
  const random = createRandom(walk.seed)
  const lastMs = Math.floor(untilMs / stepMs) * stepMs
  const points: PricePoint[] = []
  let distance = 0
  // Backward from the present, on a scale on which the same step up and down cancel out.
  for (let atMs = lastMs; atMs >= sinceMs; atMs -= stepMs) {
    const trend = (growth * (lastMs - atMs)) / (30 * dayMs)
    points.push({ atMs, price: present * Math.exp(walk.swing * (distance - trend)) })
    distance = distance * left + stride * (2 * random() - 1)
  }
  return points
    .filter(({ atMs }) => atMs % hourMs === 0 || atMs >= lastMs - dayMs)
    .sort((one, other) => one.atMs - other.atMs)
}

/** Numbers from 0 to 1, always the same for a seed: a linear congruential generator. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
