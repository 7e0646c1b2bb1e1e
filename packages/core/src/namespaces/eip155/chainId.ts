import { type ChainId, parseChainId } from '@latchkey/wire'
import { readChainId } from '../metadata.ts'

/**
 * Parses a chain in the formats of wallets and apps: a number, also in hex or decimal, or CAIP-2.
 * Undefined for anything else.
 */
export function parseEvmChainId(value: unknown): ChainId | undefined {
  const isNumber = typeof value === 'string' && /^(0x[0-9a-fA-F]{1,14}|\d{1,16})$/.test(value)
  return readChainId('eip155', isNumber ? Number(value) : value)
}

/** A chain id as a hex quantity of JSON-RPC, for example `0x7a69`. */
export const toHexChainId = (chainId: ChainId): `0x${string}` =>
  `0x${Number(parseChainId(chainId).reference).toString(16)}`
