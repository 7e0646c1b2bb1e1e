/**
 * The parts of a response that a reader does not need: the content of arrays named `emptied`, and
 * strings beyond `maxString` bytes.
 */
export type Trim = { readonly emptied: string; readonly maxString: number }

const [quote, colon, openArray, backslash, closeArray] = [34, 58, 91, 92, 93]
const spaces: ReadonlySet<number> = new Set([9, 10, 13, 32])

/**
 * Shortens JSON chunk by chunk, so that a response of any size is read in little memory. The result
 * is valid JSON if the input is. A string that contains an escape before `maxString` is not cut.
 */
export function createTrimmer({ emptied, maxString }: Trim): (chunk: Buffer) => Buffer {
  const name = Buffer.from(emptied)
  let inString = false
  let isEscaped = false
  let length = 0
  let isUncut = false
  /** The number of bytes of the string that match the name so far; -1 after a difference. */
  let matched = 0
  let before: 'name' | 'nameAndColon' | undefined
  /** The number of open arrays, counted from the emptied array. */
  let depth = 0

  const isKeptInString = (byte: number): boolean => {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) {
      isEscaped = true
      if (length < maxString) isUncut = true
    } else if (byte === quote) {
      inString = false
      before = matched === name.length ? 'name' : undefined
      return depth === 0
    }
    matched = matched >= 0 && name[matched] === byte ? matched + 1 : -1
    length++
    return depth === 0 && (isUncut || length <= maxString)
  }
  const isKept = (byte: number): boolean => {
    if (inString) return isKeptInString(byte)
    if (byte === quote) {
      inString = true
      isUncut = false
      length = 0
      matched = 0
      return depth === 0
    }
    if (depth > 0) {
      if (byte === openArray) depth++
      else if (byte === closeArray) depth--
      return depth === 0
    }
    if (spaces.has(byte)) return true
    if (byte === openArray && before === 'nameAndColon') depth = 1
    before = byte === colon && before === 'name' ? 'nameAndColon' : undefined
    return true
  }
  return (chunk) => {
    const kept = Buffer.allocUnsafe(chunk.length)
    let count = 0
    for (const byte of chunk) if (isKept(byte)) kept[count++] = byte
    return kept.subarray(0, count)
  }
}
