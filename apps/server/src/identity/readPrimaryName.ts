import { namehash } from 'viem/ens'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { Hex } from '../evm/hex.ts'
import { type Ens, resolverAbi } from './ens.ts'
import { normalizeName } from './normalizeName.ts'
import { readRecords, tryDecode } from './readRecords.ts'
import { resolveName } from './resolveName.ts'

/** The primary name of an address, and the avatar in its records. */
export type PrimaryName = { readonly name: string; readonly avatar: string | undefined }

/**
 * The name that a lower-case address has set as its primary name (ERC-181), if the name is
 * normalized and resolves to the address. Throws the errors of readRecords.
 */
export async function readPrimaryName(ens: Ens, address: Hex): Promise<PrimaryName | undefined> {
  const reverse = `${address.slice(2)}.addr.reverse`
  const abi = resolverAbi
  const call = encodeFunctionData({ abi, functionName: 'name', args: [namehash(reverse)] })
  const [returned] = await readRecords(ens, reverse, [call])
  const name = tryDecode(returned && { returned }, (data) =>
    decodeFunctionResult({ abi, functionName: 'name', data }),
  )
  // A name that is not normalized may imitate another name.
  if (name === undefined || normalizeName(name) !== name) return undefined
  const records = await resolveName(ens, { name, chainId: undefined })
  return records.address === address ? { name, avatar: records.avatar } : undefined
}
