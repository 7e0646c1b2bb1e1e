import { sanitizeText } from '@latchkey/wire'
import type { SignedValue } from './checkTypedData.ts'

/** A line of nested data. */
export type Line = { depth: number; label: string; value: string }

/** Signed values line by line.. */
export function formatTree(label: string, value: SignedValue, depth = 0): Line[] {
  if (typeof value === 'string' || typeof value === 'boolean')
    return [{ depth, label, value: sanitizeText(String(value)) }]
  const entries = Array.isArray(value)
    ? value.map((one, index) => [String(index + 1), one] as const)
    : Object.entries(value)
  return [
    { depth, label, value: Array.isArray(value) && entries.length === 0 ? '[]' : '' },
    ...entries.flatMap(([name, one]) => formatTree(name, one, depth + 1)),
  ]
}
