import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex } from '../encoding/bytesToHex.ts'

// https://docs.polkadot.com/polkadot-protocol/parachain-basics/chain-data/: each part hashed by Twox128.
const system = '26aa394eea5630e07c48ae0c9558cef7'
const account = 'b99d880ec681799c0cf30e8886371da9'

/**
 * The storage key, with 0x, at which a chain keeps an account: `System.Account`, its map hashed by
 * Blake2_128Concat.
 */
export const getAccountKey = (id: Uint8Array): string =>
  `0x${system}${account}${bytesToHex(blake2b(id, { dkLen: 16 }))}${bytesToHex(id)}`
