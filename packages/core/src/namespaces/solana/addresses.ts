import { decodeBase58, LatchkeyError } from '@latchkey/wire'
import { type Address, isOffCurveAddress } from '@solana/kit'

/** Whether a string is a Solana address: base58 of 32 bytes. */
export const isAddress = (address: string): address is Address =>
  address.length <= 44 && decodeBase58(address)?.length === 32

/** Returns the address itself, which has only one spelling. Throws INVALID_ADDRESS. */
export function formatAddress(address: string): Address {
  if (!isAddress(address)) throw new LatchkeyError('INVALID_ADDRESS')
  return address
}

/** Whether a key pair can have this address. Addresses of program accounts have no key. */
export const canHaveKey = (address: Address): boolean => !isOffCurveAddress(address)
