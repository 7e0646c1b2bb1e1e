/** Collects elements of an array in a response. */
export type Fold = {
  /** Whether the element, as JSON, stays in the response. */
  keeps(element: string): boolean
  /** JSON elements that replace the removed ones. */
  rest(): readonly string[]
}

const [quote, comma, colon, openArray, backslash, closeArray, openObject, closeObject] = [
  34, 44, 58, 91, 92, 93, 123, 125,
]
/** The maximum length of an element. Reading fails if an element is longer. */
const maxElement = 65_536
/** The maximum length of a relevant name. */
const maxName = 64

type Folding = { readonly by: Fold; readonly depth: number; written: number }

/**
 * Shortens the arrays of a JSON response chunk by chunk, so that a response of any size is read in
 * little memory. `open` returns how to fold the array of a name, or undefined if it stays
 * unchanged. The function that it creates throws if an element is not JSON, or too long.
 */
export function createFolder(open: (name: string) => Fold | undefined): (chunk: Buffer) => Buffer {
  let inString = false
  let isEscaped = false
  let depth = 0
  /** The last string outside folded arrays, if it may be a name. */
  let name = ''
  let before: 'name' | 'nameAndColon' | undefined
  let fold: Folding | undefined
  /** The current element of the folded array. */
  let element: Buffer[] = []
  let out: Buffer[] = []

  function pass(bytes: Buffer): void {
    if (fold === undefined) out.push(bytes)
    else element.push(bytes)
    if (element.reduce((sum, { length }) => sum + length, 0) > maxElement)
      throw new RangeError('An element is too long')
  }
  function write(folding: Folding, json: string): void {
    if (folding.written++ > 0) out.push(Buffer.from(','))
    out.push(Buffer.from(json))
  }
  function endElement(folding: Folding): void {
    const json = Buffer.concat(element).toString().trim()
    element = []
    if (json !== '' && folding.by.keeps(json)) write(folding, json)
  }
  function endArray(folding: Folding): void {
    endElement(folding)
    for (const json of folding.by.rest()) write(folding, json)
    fold = undefined
  }
  function readInString(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) {
      inString = false
      before = 'name'
    } else if (fold === undefined && name.length < maxName) name += String.fromCharCode(byte)
  }
  /** Returns whether a folded array begins after this byte. */
  function readOutside(byte: number): boolean {
    if (byte === quote) {
      inString = true
      name = ''
      return false
    }
    const isNamed = before === 'nameAndColon'
    if (byte > 32) before = byte === colon && before === 'name' ? 'nameAndColon' : undefined
    if (byte === openArray || byte === openObject) depth++
    else if (byte === closeArray || byte === closeObject) depth--
    return byte === openArray && isNamed && fold === undefined
  }
  return (chunk) => {
    out = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (inString) {
        readInString(byte)
        continue
      }
      if (fold?.depth === depth && (byte === comma || byte === closeArray)) {
        pass(chunk.subarray(start, at))
        start = byte === comma ? at + 1 : at
        if (byte === comma) endElement(fold)
        else endArray(fold)
      }
      if (!readOutside(byte)) continue
      const by = open(name)
      if (by === undefined) continue
      pass(chunk.subarray(start, at + 1))
      start = at + 1
      fold = { by, depth, written: 0 }
    }
    pass(chunk.subarray(start))
    return Buffer.concat(out)
  }
}
