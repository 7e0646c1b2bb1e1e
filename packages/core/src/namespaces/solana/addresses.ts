import { decodeBase58, LatchkeyError } from '@latchkey/wire'
import { type Address, isOffCurveAddress } from '@solana/kit'

/** Whether a string is a Solana address: base58 of 32 bytes. */
export const isSolanaAddress = (address: string): address is Address =>
  address.length <= 44 && decodeBase58(address)?.length === 32

/** Returns the address itself, which has only one spelling. Throws INVALID_ADDRESS. */
export function formatSolanaAddress(address: string): Address {
  if (!isSolanaAddress(address)) throw new LatchkeyError('INVALID_ADDRESS')
  return address
}

/** Whether a key pair can have this address. Addresses of program accounts have no key. */
export const canHaveKey = (address: Address): boolean => !isOffCurveAddress(address)
