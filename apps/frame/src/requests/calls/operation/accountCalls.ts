import { LatchkeyError } from '@latchkey/wire'
import type { Hex } from 'viem'
import { decodeAbi } from '../../evm/codec/decodeAbi.ts'
import { encodeAbi } from '../../evm/codec/encodeAbi.ts'
import type { BatchedCall } from '../batchCall.ts'

/**
 * Selectors of `Simple7702Account`: `execute(address,uint256,bytes)`, and `executeBatch` with a
 * list of the same.
 */
const selectors = { one: '0xb61d27f6', many: '0x34fcd5be' } as const
const call = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] as const
const list = [{ type: 'tuple[]', components: call }] as const

type Parts = readonly [to: Hex, value: bigint, data: Hex]

/** Encodes calls as calldata of the account. */
export function encodeCalls(calls: readonly BatchedCall[]): Hex {
  const all = calls.map(({ to, value, data }): Parts => [to, value, data])
  const [only] = all
  return only && all.length === 1
    ? `${selectors.one}${encodeAbi(call, only).slice(2)}`
    : `${selectors.many}${encodeAbi(list, [all]).slice(2)}`
}

/**
 * Decodes the calls of an operation. Throws INTERNAL if they do not encode back to the same bytes.
 */
export function decodeCalls(callData: Hex): BatchedCall[] {
  const found = readParts(callData.slice(0, 10), `0x${callData.slice(10)}`)
  if (!found) throw new LatchkeyError('INTERNAL')
  return found.map(([to, value, data]) => ({ to: to.toLowerCase() as Hex, value, data }))
}

function readParts(selector: string, given: Hex): readonly Parts[] | undefined {
  if (selector === selectors.many)
    return decodeAbi(list, given)?.[0] as readonly Parts[] | undefined
  const only = selector === selectors.one ? decodeAbi(call, given) : undefined
  return only && [only as unknown as Parts]
}
