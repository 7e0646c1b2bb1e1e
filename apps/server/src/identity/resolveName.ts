import { type ChainId, etherCoinType, toCoinType } from '@latchkey/wire'
import { namehash } from 'viem/ens'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { parseAddress, zeroAddress } from '../evm/address.ts'
import { getChainReference } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { type Ens, resolverAbi } from './ens.ts'
import { readRecords, tryDecode } from './readRecords.ts'

/** The records of a name: lower-case addresses, and the avatar as written in its record. */
export type NameRecords = {
  /** The address on Ethereum, which also counts on EVM chains for which the name has no address. */
  readonly address: Hex | undefined
  /** The address on the requested chain. */
  readonly chainAddress: Hex | undefined
  readonly avatar: string | undefined
}

// Longer avatars are pictures in the record itself, and this is plenty for them.
const maxAvatarCharacters = 100_000

/**
 * Reads a normalized name. Throws INVALID_CHAIN_ID for a network without a coin type, and the
 * errors of readRecords.
 */
export async function resolveName(
  ens: Ens,
  { name, chainId }: { readonly name: string; readonly chainId: ChainId | undefined },
): Promise<NameRecords> {
  const node = namehash(name)
  const coinType = getCoinType(chainId ?? 'eip155:1')
  const abi = resolverAbi
  const calls = [
    encodeFunctionData({ abi, functionName: 'addr', args: [node] }),
    encodeFunctionData({ abi, functionName: 'addr', args: [node, coinType] }),
    encodeFunctionData({ abi, functionName: 'text', args: [node, 'avatar'] }),
  ]
  const [own, chain, avatar] = await readRecords(ens, name, calls)
  const text = tryDecode(avatar && { returned: avatar }, (data) =>
    decodeFunctionResult({ abi, functionName: 'text', data }),
  )
  return {
    address: toAddress(own && decodeAddress(own)),
    chainAddress: toAddress(chain && decodeBytes(chain)),
    avatar: text && text.length <= maxAvatarCharacters ? text : undefined,
  }
}

/**
 * ENSIP-11: Ethereum has the number of SLIP-44, other EVM chains their own with the highest bit
 * set. Throws INVALID_CHAIN_ID from 2³¹ on.
 */
const getCoinType = (chainId: ChainId) => {
  const number = Number(getChainReference(chainId))
  return BigInt(number === 1 ? etherCoinType : toCoinType(number))
}

const decodeAddress = (returned: Hex): string | undefined =>
  tryDecode({ returned }, (data) => {
    const parameters = { abi: resolverAbi, functionName: 'addr', args: [zeroNode], data } as const
    return decodeFunctionResult(parameters)
  })

const decodeBytes = (returned: Hex): string | undefined =>
  tryDecode({ returned }, (data) => {
    const args = [zeroNode, 0n] as const
    return decodeFunctionResult({ abi: resolverAbi, functionName: 'addr', args, data })
  })

const zeroNode: Hex = `0x${'0'.repeat(64)}`

function toAddress(text: string | undefined): Hex | undefined {
  const address = parseAddress(text)
  return address === zeroAddress ? undefined : address
}
