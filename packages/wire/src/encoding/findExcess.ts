import { jsonMaxDepth } from './parseBoundedJson.ts'

/**
 * Whether the JSON of a value would have more than {@link jsonMaxDepth} levels (`deep`) or more
 * than about `maxLength` characters (`large`). Visits the value without recursion and stops at the
 * limit: a small value whose parts are used many times can be endless as JSON.
 */
export function findExcess(value: unknown, maxLength: number): 'deep' | 'large' | undefined {
  const open: { readonly part: unknown; readonly depth: number }[] = [{ part: value, depth: 0 }]
  let length = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, depth } = next
    if (typeof part === 'string') length += part.length
    if (typeof part === 'object' && part !== null) {
      if (depth === jsonMaxDepth) return 'deep'
      // Counted before its entries are made: a sparse list or a typed array can have any number of
      // them.
      const count = ArrayBuffer.isView(part)
        ? part.byteLength
        : Array.isArray(part)
          ? part.length
          : 0
      if (length + 2 * count > maxLength) return 'large'
      const parts = Object.entries(part)
      // Each part takes a character at least, and a comma or a bracket.
      for (const [key] of parts) length += 2 + (Array.isArray(part) ? 0 : key.length)
      if (length > maxLength) return 'large'
      for (const [, one] of parts) open.push({ part: one, depth: depth + 1 })
    }
    if (length > maxLength) return 'large'
  }
  return undefined
}
