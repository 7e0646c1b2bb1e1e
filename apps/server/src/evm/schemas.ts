import * as z from 'zod'
import { addressPattern } from './address.ts'
import type { Hex } from './hex.ts'

const toLowerCase = (text: string) => text.toLowerCase() as Hex

/** An address, in lower case. */
export const hexAddress = z.string().regex(addressPattern).transform(toLowerCase)

/** The hash of a transaction, in lower case. */
export const hexHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(toLowerCase)

/** Parses a JSON-RPC quantity to a bigint. */
export const hexQuantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)

/** The first four bytes of a transaction's input; undefined for a plain transfer. */
export const getSelector = (input: string | undefined): Hex | undefined =>
  input !== undefined && /^0x[0-9a-fA-F]{8}/.test(input)
    ? toLowerCase(input.slice(0, 10))
    : undefined
