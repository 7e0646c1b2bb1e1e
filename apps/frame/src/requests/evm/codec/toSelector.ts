import { bytesToHex } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from 'viem'
import { utf8 } from '../../../wallet/crypto/bytes.ts'

/** The keccak256 hash of a string's UTF-8 bytes. */
export const hashText = (text: string): Hex => `0x${bytesToHex(keccak_256(utf8(text)))}`

/** The selector of a function: `0xa9059cbb` for `transfer(address,uint256)`. */
export const toSelector = (signature: string): Hex => hashText(signature).slice(0, 10) as Hex
