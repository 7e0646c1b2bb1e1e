type Hex = `0x${string}`
type Call = { readonly target: Hex; readonly callData: Hex }

/** `aggregate3((address,bool,bytes)[])` of Multicall3. */
const selector = '82ad56cb'
const wordDigits = 64
const word = (value: number) => value.toString(16).padStart(wordDigits, '0')
const allowFailure = word(1)
const bytesAfterHead = word(3 * 32)

/**
 * Calldata of Multicall3's `aggregate3`, each call allowed to fail, by the rules of the contract ABI. By hand since a
 * balance of hundreds of tokens spends its time here; held to viem's by a test.
 */
export function encodeAggregate(calls: readonly Call[]): Hex {
  const offsets: string[] = []
  const tuples: string[] = []
  let offset = calls.length * 32
  for (const { target, callData } of calls) {
    const digits = callData.length - 2
    const padded = Math.ceil(digits / wordDigits) * wordDigits
    offsets.push(word(offset))
    tuples.push(
      target.slice(2).toLowerCase().padStart(wordDigits, '0'),
      allowFailure,
      bytesAfterHead,
      word(digits / 2),
      callData.slice(2).padEnd(padded, '0'),
    )
    offset += 4 * 32 + padded / 2
  }
  return `0x${selector}${word(32)}${word(calls.length)}${offsets.join('')}${tuples.join('')}`
}

/** What each call returned, undefined where it failed; undefined as a whole when that is not `count` well-formed results. */
export function decodeAggregate(data: Hex, count: number): (Hex | undefined)[] | undefined {
  const digits = data.slice(2)
  if (!/^[0-9a-f]*$/i.test(digits)) return undefined
  const numberAt = (at: number): number => {
    const text = digits.slice(at, at + wordDigits)
    const value = text.length === wordDigits ? Number(`0x${text}`) : Number.NaN
    return value <= digits.length ? value : Number.NaN
  }
  const list = numberAt(0) * 2
  if (numberAt(list) !== count) return undefined
  const start = list + wordDigits
  const results: (Hex | undefined)[] = []
  for (let index = 0; index < count; index++) {
    const tuple = start + numberAt(start + index * wordDigits) * 2
    const success = numberAt(tuple)
    const bytes = tuple + numberAt(tuple + wordDigits) * 2
    const from = bytes + wordDigits
    const to = from + numberAt(bytes) * 2
    if (!(success <= 1) || !(to <= digits.length)) return undefined
    results.push(success === 1 ? `0x${digits.slice(from, to)}` : undefined)
  }
  return results
}
