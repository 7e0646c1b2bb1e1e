import * as z from 'zod'

type Hex = `0x${string}`

const toLowerCase = (text: string) => text.toLowerCase() as Hex

/** An address as explorers and nodes write it, made lower-case. */
export const hexAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(toLowerCase)

/** A transaction's hash, made lower-case. */
export const hexHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(toLowerCase)

/** An amount in decimal digits, as a string or a small number. */
export const decimalAmount = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^\d{1,78}$/))
  .transform(BigInt)

/** A count in decimal digits, as a string or a number. */
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

/** Seconds since 1970, before the year 5000: what a date can be made of. */
export const unixSeconds = decimalCount.refine((seconds) => seconds < 1e11)

/** A moment since 1970, as ISO 8601 has it. */
export const isoMoment = z.iso.datetime({ offset: true }).refine((text) => Date.parse(text) >= 0)

/** The first four bytes of an input; undefined for a bare transfer. */
export const getSelector = (input: string | undefined): Hex | undefined =>
  input !== undefined && /^0x[0-9a-fA-F]{8}/.test(input)
    ? toLowerCase(input.slice(0, 10))
    : undefined
