import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from './bytesToHex.ts'

/**
 * Writes an EVM address with its EIP-55 checksum. Ignores the case of the input. Throws RangeError
 * if the input is not an address.
 */
export function checksumAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new RangeError('not an address')
  const plain = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(plain)))
  const mixed = Array.from(plain, (digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}
