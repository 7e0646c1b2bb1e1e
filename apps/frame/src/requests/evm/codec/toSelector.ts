import { bytesToHex } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from 'viem'
import { utf8 } from '../../../wallet/crypto/bytes.ts'

/** The hash (keccak256) of a text's UTF-8 bytes. */
export const hashText = (text: string): Hex => `0x${bytesToHex(keccak_256(utf8(text)))}`

/** How a call begins that means a function: `0xa9059cbb` for `transfer(address,uint256)`. */
export const toSelector = (signature: string): Hex => hashText(signature).slice(0, 10) as Hex
