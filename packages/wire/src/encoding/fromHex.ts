import { hexToBytes } from '@noble/hashes/utils.js'

/** Decodes hex with a `0x` prefix. */
export const fromHex = (text: string): Uint8Array => hexToBytes(text.slice(2))
