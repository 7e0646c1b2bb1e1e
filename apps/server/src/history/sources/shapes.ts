import * as z from 'zod'

/** An amount in decimal digits: a string or a small number. */
export const decimalAmount = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^\d{1,78}$/))
  .transform(BigInt)

/** A count in decimal digits: a string or a number. */
export const decimalCount = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0))

/** The number of a block, in decimal digits. */
export const blockHeight = decimalAmount.refine((height) => height < 2n ** 53n)

/** A place within a block, in decimal digits. */
export const placeInBlock = decimalCount.refine((place) => place < 2 ** 31)

/** Seconds since 1970, before the year 5000, so that `Date` accepts them. */
export const unixSeconds = decimalCount.refine((seconds) => seconds < 1e11)

/** A moment since 1970 in ISO 8601 format. */
export const isoMoment = z.iso.datetime({ offset: true }).refine((text) => Date.parse(text) >= 0)
