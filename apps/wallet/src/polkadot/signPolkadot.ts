import { secretFromSeed, sign } from '@scure/sr25519'
import { hexToBytes } from 'viem'

// The secret seeds that `subkey inspect //Alice` and so on print.
const seeds = [
  '0xe5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a',
  '0x398f0c28f98885e046333d4a41c19cee4c37368a9832c6502f6cfd182e2aef89',
  '0xbc1ede780f784bb6991a585e4f6e61522c14e1cae6ad0895fb57b9a205a8f938',
  '0x868020ae0687dda7d57565093a69090211449845a7e11453612800b663307246',
  '0x786ad0e2df456fe43dd1f91ebca22e235bc162e0bb8d53c633e8c85b2af68b7a',
] as const

/** Signs bytes with the throw-away sr25519 key of this index. */
export const signPolkadot = (index: number, message: Uint8Array): Uint8Array =>
  sign(secretFromSeed(hexToBytes(seeds[index] ?? seeds[0])), message)
