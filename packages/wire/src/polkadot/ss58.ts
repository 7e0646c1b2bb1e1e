import { blake2b } from '@noble/hashes/blake2.js'
import type { ChainId } from '../caip/caip.ts'
import { decodeBase58, encodeBase58 } from '../encoding/base58.ts'

// SS58, https://docs.polkadot.com/polkadot-protocol/parachain-basics/accounts/#address-format

/** Prefixes by CAIP-2 id. */
const prefixes: Readonly<Record<string, number>> = {
  'polkadot:91b171bb158e2d3848fa23a9f1c25182': 0,
  'polkadot:b0a8d493285c2df73290dfb7e61f870f': 2,
}
/** The prefix that stands for no network; Westend uses it too. */
const genericPrefix = 42

const checksumInput = new TextEncoder().encode('SS58PRE')

/** The prefix of a network's addresses. */
export const getPrefix = (chainId: ChainId): number => prefixes[chainId] ?? genericPrefix

/**
 * The 32 bytes of the account behind an address; undefined for any other string and for a wrong
 * checksum.
 */
export function decodeSs58Address(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = text.length <= 50 ? decodeBase58(text) : undefined
  // 64 and above are prefixes of two bytes, 128 and above are reserved.
  const first = bytes?.[0] ?? 255
  const prefixLength = first < 64 ? 1 : 2
  if (bytes?.length !== prefixLength + 34 || first >= 128) return undefined
  const checksum = getChecksum(bytes.slice(0, -2))
  if (!checksum.every((byte, index) => byte === bytes[prefixLength + 32 + index])) return undefined
  return bytes.slice(prefixLength, -2)
}

/** The address of an account on networks of a prefix below 64. */
export function encodeAddress(account: Uint8Array, prefix: number): string {
  const body = Uint8Array.from([prefix, ...account])
  return encodeBase58(Uint8Array.from([...body, ...getChecksum(body)]))
}

const getChecksum = (body: Uint8Array) =>
  blake2b(Uint8Array.from([...checksumInput, ...body]), { dkLen: 64 }).slice(0, 2)
