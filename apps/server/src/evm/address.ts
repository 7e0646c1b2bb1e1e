import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import type { Hex } from './hex.ts'

/** An address in any case; a checksum is not verified. */
export const addressPattern = /^0x[0-9a-fA-F]{40}$/

export const zeroAddress = '0x0000000000000000000000000000000000000000'

/** The placeholder for the native currency in place of a token's address. */
export const nativeAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The address in lower case, or undefined if `text` is not an address. */
export const parseAddress = (text: string | undefined): Hex | undefined =>
  text !== undefined && addressPattern.test(text) ? (text.toLowerCase() as Hex) : undefined

/** The failure for a request whose `field` is not an address. */
export const invalidAddress = (field: string): Failure =>
  badRequest(field, `The ${field} is not valid: 0x and 40 hex digits are expected`)

/** The address in a request's `field`, in lower case. Throws {@link HttpFailure}. */
export function requireAddress(text: string | undefined, field = 'address'): Hex {
  const address = parseAddress(text)
  if (address === undefined) throw new HttpFailure(invalidAddress(field))
  return address
}
