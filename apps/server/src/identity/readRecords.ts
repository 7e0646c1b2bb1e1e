import { namehash, packetToBytes } from 'viem/ens'
import { bytesToHex, decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { zeroAddress } from '../evm/address.ts'
import { type CallResult, callContracts } from '../evm/callContracts.ts'
import type { Hex } from '../evm/hex.ts'
import { type Ens, registryAbi, resolverAbi } from './ens.ts'
import { followLookup } from './followLookup.ts'

// ENSIP-10: the resolver answers for names below its own.
const wildcardId = '0x9061b923'

/**
 * The results of `calls` (their calldata) at the resolver of `name`, which must be normalized;
 * undefined for missing or invalid results. Supports wildcards (ENSIP-10) and resolvers with
 * offchain records (EIP-3668). Throws RPC_UNAVAILABLE, and OUTBOUND_FAILED or OUTBOUND_REFUSED if
 * an offchain server does not return the records.
 */
export async function readRecords(
  ens: Ens,
  name: string,
  calls: readonly Hex[],
): Promise<(Hex | undefined)[]> {
  const found = await findResolver(ens, name)
  if (found === undefined) return calls.map(() => undefined)
  const { resolver, isOwn } = found
  const ask = encodeFunctionData({
    abi: resolverAbi,
    functionName: 'supportsInterface',
    args: [wildcardId],
  })
  const direct = isOwn ? calls : []
  const [support, ...answers] = await callContracts(
    ens,
    [ask, ...direct].map((data) => ({ to: resolver, data })),
  )
  if (isTrue(support)) return readWildcard(ens, { name, resolver, calls })
  if (!isOwn) return calls.map(() => undefined)
  return Promise.all(answers.map((answer) => followLookup(ens, resolver, answer)))
}

/** The resolver of the name, or of the nearest name above it that has one. */
async function findResolver(ens: Ens, name: string) {
  const labels = name.split('.')
  const names = labels.map((_, index) => labels.slice(index).join('.'))
  const answers = await callContracts(
    ens,
    names.map((above) => ({
      to: ens.registry,
      data: encodeFunctionData({
        abi: registryAbi,
        functionName: 'resolver',
        args: [namehash(above)],
      }),
    })),
  )
  const resolvers = answers.map((answer) =>
    tryDecode(answer, (data) =>
      decodeFunctionResult({ abi: registryAbi, functionName: 'resolver', data }),
    ),
  )
  const index = resolvers.findIndex(
    (resolver) => resolver !== undefined && resolver !== zeroAddress,
  )
  const resolver = resolvers[index]
  return resolver === undefined ? undefined : { resolver, isOwn: index === 0 }
}

async function readWildcard(
  ens: Ens,
  {
    name,
    resolver,
    calls,
  }: { readonly name: string; readonly resolver: Hex; readonly calls: readonly Hex[] },
) {
  const wireName = bytesToHex(packetToBytes(name))
  const answers = await callContracts(
    ens,
    calls.map((call) => ({
      to: resolver,
      data: encodeFunctionData({
        abi: resolverAbi,
        functionName: 'resolve',
        args: [wireName, call],
      }),
    })),
  )
  const followed = await Promise.all(answers.map((answer) => followLookup(ens, resolver, answer)))
  return followed.map((returned) =>
    tryDecode(returned && { returned }, (data) => {
      const inner = decodeFunctionResult({ abi: resolverAbi, functionName: 'resolve', data })
      return inner === '0x' ? undefined : inner
    }),
  )
}

const isTrue = (answer: CallResult) =>
  tryDecode(answer, (data) =>
    decodeFunctionResult({ abi: resolverAbi, functionName: 'supportsInterface', data }),
  ) === true

/** A contract may return anything: data that cannot be decoded counts as missing. */
export function tryDecode<Value>(
  answer: CallResult,
  read: (data: Hex) => Value,
): Value | undefined {
  if (answer === undefined || !('returned' in answer)) return undefined
  try {
    return read(answer.returned)
  } catch {
    return undefined
  }
}
