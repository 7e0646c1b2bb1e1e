import type { Hex } from './hex.ts'

type Call = { readonly target: Hex; readonly callData: Hex }

/** `aggregate3((address,bool,bytes)[])` of Multicall3. */
const selector = '82ad56cb'
const wordDigits = 64
const numberZeros = '0'.repeat(wordDigits - 8)
const word = (value: number) => value.toString(16).padStart(wordDigits, '0')
const allowFailure = word(1)
const bytesAfterHead = word(3 * 32)
/** How a call's result begins that succeeded with one word. */
const oneWord = word(1) + word(2 * 32) + word(32)

/**
 * Calldata of Multicall3's `aggregate3`, each call allowed to fail, by the rules of the contract
 * ABI. Written by hand because a balance of hundreds of tokens spends its time here. A test
 * compares it with viem.
 */
export function encodeAggregate(calls: readonly Call[]): Hex {
  const parts = [`0x${selector}${word(32)}${word(calls.length)}`]
  const tuples: string[] = []
  let offset = calls.length * 32
  // Most consecutive calls differ only in their target.
  let last: Hex | undefined
  let rest = ''
  for (const { target, callData } of calls) {
    if (callData !== last) rest = encodeRest(callData)
    last = callData
    parts.push(word(offset))
    tuples.push(`${targetZeros}${target.slice(2).toLowerCase()}${rest}`)
    offset += 32 + rest.length / 2
  }
  return [...parts, ...tuples].join('') as Hex
}

const targetZeros = '0'.repeat(24)

/** The part of a call's tuple after its target. */
function encodeRest(callData: Hex): string {
  const digits = callData.length - 2
  const padded = Math.ceil(digits / wordDigits) * wordDigits
  return `${allowFailure}${bytesAfterHead}${word(digits / 2)}${callData.slice(2).padEnd(padded, '0')}`
}

/**
 * The return data of each call, undefined for failed calls. The whole result is undefined if `data`
 * is not `count` well-formed results.
 */
export function decodeAggregate(data: Hex, count: number): (Hex | undefined)[] | undefined {
  const digits = data.slice(2)
  if (!/^[0-9a-f]*$/i.test(digits)) return undefined
  const numberAt = (at: number): number => {
    const short = at + wordDigits - 8
    // A length beyond 32 bits, or truncated data, cannot be valid.
    if (!(at >= 0 && digits.startsWith(numberZeros, at)) || short + 8 > digits.length)
      return Number.NaN
    const value = Number.parseInt(digits.slice(short, short + 8), 16)
    return value <= digits.length ? value : Number.NaN
  }
  const list = numberAt(0) * 2
  if (numberAt(list) !== count) return undefined
  const start = list + wordDigits
  const results: (Hex | undefined)[] = []
  for (let index = 0; index < count; index++) {
    const tuple = start + numberAt(start + index * wordDigits) * 2
    const one = tuple + oneWord.length
    if (tuple >= 0 && digits.startsWith(oneWord, tuple) && one + wordDigits <= digits.length) {
      results.push(`0x${digits.slice(one, one + wordDigits)}`)
      continue
    }
    const success = numberAt(tuple)
    const bytes = tuple + numberAt(tuple + wordDigits) * 2
    const from = bytes + wordDigits
    const to = from + numberAt(bytes) * 2
    if (!(success <= 1) || !(to <= digits.length)) return undefined
    results.push(success === 1 ? `0x${digits.slice(from, to)}` : undefined)
  }
  return results
}
