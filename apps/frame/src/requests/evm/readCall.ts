import type { Hex } from 'viem'
import type { Effect } from '../effect.ts'
import { type CallTarget, callDecoders } from './abi.ts'
import { decodeAbi } from './codec/decodeAbi.ts'

/**
 * The call that a transaction makes; without `to` it creates a contract. An access list (EIP-2930)
 * changes only what it costs.
 */
export type EvmCall = {
  readonly to: Hex | undefined
  readonly value: bigint
  readonly data: Hex
  readonly accessList?: AccessList
}

export type AccessList = readonly {
  readonly address: string
  readonly storageKeys: readonly string[]
}[]

const maxBytes = 200_000
const maxNested = 10
const maxDepth = 3
const maxEffects = 100

/**
 * All effects of a call on the assets of `account`, from its bytes alone. The call's value comes
 * first. Data counts as interpreted only if it encodes back to the same bytes, so nothing can hide
 * between or after its values.
 */
export function readCall({ to, value, data }: EvmCall, account: Hex): Effect[] {
  const native = { kind: 'native', amount: value } as const
  const sent: Effect = { kind: 'send', asset: native, from: account, to }
  if (to === undefined) return [...(value > 0n ? [sent] : []), { kind: 'deploy', data }]
  if (data === '0x') return [sent]
  const { effects, isPayable } = readData(data, { contract: to, account }, 0)
  return value > 0n
    ? [isPayable ? sent : { ...sent, unpayable: true }, ...effects]
    : effects.map(withoutPayment)
}

/**
 * Some calls are only harmless with a payment, which is shown: without one, some vaults take tokens
 * up to their allowance.
 */
const withoutPayment = (effect: Effect): Effect =>
  effect.kind === 'call' && effect.isHarmless ? { ...effect, isHarmless: false } : effect

type DecodedCall = { effects: Effect[]; isPayable: boolean }

function readData(data: Hex, at: CallTarget, depth: number): DecodedCall {
  // An unknown function may accept a payment; the warning is that it is unknown.
  const unread: DecodedCall = {
    effects: [{ kind: 'call', contract: at.contract, data }],
    isPayable: true,
  }
  if (data.length < 10 || data.length > maxBytes * 2) return unread
  const selector = data.slice(0, 10).toLowerCase()
  const entry = callDecoders.find((one) => one.selector === selector)
  const args = entry && decodeAbi(entry.inputs, `0x${data.slice(10)}`)
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
