import { decodeAbiParameters, encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { callAbi } from './abi.ts'

/** What a call does, read from its data alone. Amounts in smallest units. */
export type ReadCall =
  | { kind: 'transfer'; to: Hex; amount: bigint }
  /** ERC-20 amount or ERC-721 id: the same data. */
  | { kind: 'transferFrom'; from: Hex; to: Hex; amount: bigint }
  | { kind: 'item'; from: Hex; to: Hex; ids: readonly bigint[]; amounts: readonly bigint[] }
  /** ERC-20 amount or ERC-721 id; `change`: added to, or taken from, what is allowed now. */
  | { kind: 'approve'; spender: Hex; amount: bigint; change?: 'more' | 'less' }
  | { kind: 'operator'; operator: Hex; approved: boolean }
  | { kind: 'permit'; owner: Hex; spender: Hex; amount: bigint; deadline: bigint }
  | { kind: 'permit2'; token: Hex; spender: Hex; amount: bigint; expiration: bigint }
  | { kind: 'multicall'; calls: readonly Hex[] }
  | { kind: 'wrap' }
  | { kind: 'unwrap'; amount: bigint }
  | { kind: 'unknown' }

const mostBytes = 200_000

/** Reads call data. Only what encodes back to the very same bytes counts: nothing may hide behind or beside it. */
export function readCall(data: Hex): ReadCall {
  if (data.length < 10 || data.length > mostBytes * 2) return { kind: 'unknown' }
  const selector = data.slice(0, 10).toLowerCase()
  const item = callAbi.find((entry) => toFunctionSelector(entry) === selector)
  if (!item) return { kind: 'unknown' }
  const rest = `0x${data.slice(10).toLowerCase()}` as Hex
  const values = decode(item.inputs, rest)
  if (!values) return { kind: 'unknown' }
  return meaning(item.name, item.inputs.length, values)
}

function decode(inputs: readonly { type: string; name: string }[], rest: Hex) {
  try {
    if (inputs.length === 0) return rest === '0x' ? [] : undefined
    const values = decodeAbiParameters(inputs, rest) as readonly unknown[]
    return encodeAbiParameters(inputs, values) === rest ? values : undefined
  } catch {
    return undefined
  }
}

function meaning(name: string, count: number, values: readonly unknown[]): ReadCall {
  const [a, b, c, d] = values
  const [first, second] = [a as Hex, b as Hex]
  const amount = b as bigint
  switch (name) {
    case 'transfer':
      return { kind: 'transfer', to: first, amount }
    case 'transferFrom':
      return { kind: 'transferFrom', from: first, to: second, amount: c as bigint }
    case 'approve':
      return count === 4
        ? {
            kind: 'permit2',
            token: first,
            spender: second,
            amount: c as bigint,
            expiration: BigInt(d as number),
          }
        : { kind: 'approve', spender: first, amount }
    case 'increaseAllowance':
      return { kind: 'approve', spender: first, amount, change: 'more' }
    case 'decreaseAllowance':
      return { kind: 'approve', spender: first, amount, change: 'less' }
    case 'safeTransferFrom':
      return {
        kind: 'item',
        from: first,
        to: second,
        ids: [c as bigint],
        amounts: [count === 5 ? (d as bigint) : 1n],
      }
    case 'safeBatchTransferFrom': {
      const [ids, amounts] = [c as readonly bigint[], d as readonly bigint[]]
      if (ids.length !== amounts.length || ids.length > 100) return { kind: 'unknown' }
      return { kind: 'item', from: first, to: second, ids, amounts }
    }
    case 'setApprovalForAll':
      return { kind: 'operator', operator: first, approved: b as boolean }
    case 'permit':
      return {
        kind: 'permit',
        owner: first,
        spender: second,
        amount: c as bigint,
        deadline: d as bigint,
      }
    case 'multicall':
      return { kind: 'multicall', calls: (count === 1 ? a : b) as readonly Hex[] }
    case 'deposit':
      return { kind: 'wrap' }
    case 'withdraw':
      return { kind: 'unwrap', amount: a as bigint }
    default:
      return { kind: 'unknown' }
  }
}
