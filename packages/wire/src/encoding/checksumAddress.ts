import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { bytesToHex } from './bytesToHex.ts'

/** An EVM address with the checksum of EIP-55 in its letters' case; a checksum that it has is not looked at. Throws RangeError for another text. */
export function checksumAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new RangeError('not an address')
  const plain = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(plain)))
  const mixed = Array.from(plain, (digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}

/** Whether the letters of an EVM address have both cases, which are then a checksum (EIP-55), and the checksum is wrong. */
export const hasChecksumFault = (address: string): boolean =>
  /[a-f]/.test(address) && /[A-F]/.test(address) && address !== checksumAddress(address)
