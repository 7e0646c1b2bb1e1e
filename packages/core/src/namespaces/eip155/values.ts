import { LatchkeyError } from '@latchkey/wire'
import { getAddress, type Hex, isAddress } from 'viem'
import type { Request } from '../request.ts'

/**
 * Whether a string is an EVM address: 0x and 40 hex characters, with its checksum if the case is
 * mixed.
 */
export const isEvmAddress = (address: string): boolean =>
  isAddress(address, { strict: hasMixedCase(address) })

const hasMixedCase = (address: string) => {
  const digits = address.slice(2)
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
}

/** An address with its checksum (EIP-55). */
export function toChecksumAddress(address: string): string {
  if (!isEvmAddress(address)) throw new LatchkeyError('INVALID_ADDRESS')
  return getAddress(address)
}

/** Native balance in wei. */
export const readEvmBalance = async (parameters: {
  node: Request
  address: string
}): Promise<bigint> =>
  toBigInt(await parameters.node('eth_getBalance', [parameters.address, 'latest']))

/** Encodes a number as a hex quantity of JSON-RPC. */
export const toHex = (value: bigint): Hex => `0x${value.toString(16)}`

/** Decodes a hex quantity of JSON-RPC. Throws ANSWER_INVALID. */
export function toBigInt(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw new LatchkeyError('ANSWER_INVALID')
}
