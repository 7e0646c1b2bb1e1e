import { bytesToHex } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from 'viem'
import { utf8 } from './wallet/crypto/bytes.ts'

/** An address with the checksum of EIP-55 in its letters' case; a checksum that it has is not looked at. Throws RangeError for another text. */
export function checksumAddress(address: string): Hex {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new RangeError('not an address')
  const plain = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8(plain)))
  const mixed = Array.from(plain, (digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}
