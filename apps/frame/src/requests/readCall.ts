import { decodeAbiParameters, encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { type At, calls } from './abi.ts'
import type { Effect } from './effect.ts'

/** A transaction's own part; without `to` it makes a contract. */
export type Call = { readonly to: Hex | undefined; readonly value: bigint; readonly data: Hex }

const maxBytes = 200_000
const maxNested = 10
const maxDepth = 3
const maxEffects = 100

/**
 * All that a call does to what `account` owns, from its bytes alone. Whatever value goes with it comes first. Data counts as
 * read only where it encodes back to the very same bytes: nothing may hide behind or beside it.
 */
export function readCall({ to, value, data }: Call, account: Hex): Effect[] {
  const native = { kind: 'native', amount: value } as const
  const sent: Effect = { kind: 'send', asset: native, from: account, to }
  if (to === undefined) return [...(value > 0n ? [sent] : []), { kind: 'deploy', data }]
  if (data === '0x') return [sent]
  const { effects, isPayable } = readData(data, { contract: to, account }, 0)
  return value > 0n ? [isPayable ? sent : { ...sent, unpayable: true }, ...effects] : effects
}

type Reading = { effects: Effect[]; isPayable: boolean }

function readData(data: Hex, at: At, depth: number): Reading {
  // What is not known may well take it; that it is not known is the warning.
  const unread: Reading = {
    effects: [{ kind: 'call', contract: at.contract, data }],
    isPayable: true,
  }
  if (data.length < 10 || data.length > maxBytes * 2) return unread
  const selector = data.slice(0, 10).toLowerCase()
  const entry = calls.find((one) => toFunctionSelector(one) === selector)
  const args = entry && decode(entry.inputs, `0x${data.slice(10).toLowerCase()}`)
  const read = args && entry.read(args, at)
  if (!read) return unread
  const isPayable = entry.stateMutability === 'payable'
  if ('calls' in read && (depth >= maxDepth || read.calls.length > maxNested)) return unread
  const effects =
    'calls' in read
      ? read.calls.flatMap((inner) => readData(inner, at, depth + 1).effects)
      : [...read]
  return effects.length > 0 && effects.length <= maxEffects ? { effects, isPayable } : unread
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
