import * as z from 'zod'

/** A variable that holds a whole number between `min` and `max`. */
export const wholeNumber = (fallback: number, min: number, max: number) =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback)
