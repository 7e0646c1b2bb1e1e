import { type ChainId, parseChainId } from '@latchkey/wire'
import { readChainId } from '../metadata.ts'

/**
 * A chain as wallets and apps name it: a number, in hex or decimal too, or CAIP-2; undefined for
 * anything else.
 */
export function parseEvmChainId(value: unknown): ChainId | undefined {
  const isNumber = typeof value === 'string' && /^(0x[0-9a-fA-F]{1,14}|\d{1,16})$/.test(value)
  return readChainId('eip155', isNumber ? Number(value) : value)
}

/** A chain as JSON-RPC's hex quantity, `0x7a69`. */
export const toHexChainId = (chainId: ChainId): `0x${string}` =>
  `0x${Number(parseChainId(chainId).reference).toString(16)}`
