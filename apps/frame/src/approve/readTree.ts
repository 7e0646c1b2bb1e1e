import { invalidParams } from './params.ts'
import { showText } from './showText.ts'

type Types = Readonly<Record<string, readonly { name: string; type: string }[]>>
export type Line = { depth: number; label: string; value: string }

const mostLines = 500
const mostDepth = 12
const mostLength = 2_000

/**
 * The values that an EIP-712 signature covers, line by line, by the types and nothing else: what the types do not name is
 * not signed and not shown. Throws INVALID_PARAMS when a value is missing, or it is too much to be read.
 */
export function readTree(types: Types, type: string, value: unknown): Line[] {
  const lines: Line[] = []
  const walk = (label: string, kind: string, part: unknown, depth: number): void => {
    if (lines.length >= mostLines || depth > mostDepth) throw invalidParams('too much to be shown')
    const list = /^(.*)\[(\d*)\]$/.exec(kind)
    if (list) {
      if (!Array.isArray(part)) throw invalidParams(`${label} is no list`)
      lines.push({ depth, label, value: part.length === 0 ? '[]' : '' })
      for (const [index, one] of part.entries()) walk(`${index + 1}`, list[1] ?? '', one, depth + 1)
      return
    }
    const fields = Object.hasOwn(types, kind) ? types[kind] : undefined
    if (!fields) {
      lines.push({ depth, label, value: showValue(label, part) })
      return
    }
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      throw invalidParams(`${label} is no ${kind}`)
    lines.push({ depth, label, value: '' })
    for (const field of fields) {
      if (!Object.hasOwn(part, field.name)) throw invalidParams(`${field.name} is missing`)
      walk(
        showText(field.name),
        field.type,
        (part as Record<string, unknown>)[field.name],
        depth + 1,
      )
    }
  }
  walk(showText(type), type, value, 0)
  return lines
}

/** What of a value its EIP-712 type signs: fields that no type names are gone. */
export function signedPart(types: Types, type: string, value: unknown): unknown {
  const list = /^(.*)\[\d*\]$/.exec(type)
  if (list)
    return Array.isArray(value) ? value.map((one) => signedPart(types, list[1] ?? '', one)) : value
  const fields = Object.hasOwn(types, type) ? types[type] : undefined
  if (!fields || typeof value !== 'object' || value === null) return value
  const part = value as Record<string, unknown>
  return Object.fromEntries(
    fields
      .filter(({ name }) => Object.hasOwn(part, name))
      .map((field) => [field.name, signedPart(types, field.type, part[field.name])]),
  )
}

function showValue(label: string, part: unknown): string {
  if (typeof part === 'string') {
    if (part.length > mostLength) throw invalidParams(`${label} is too long to be shown`)
    return showText(part)
  }
  if (typeof part === 'number' || typeof part === 'boolean') return String(part)
  throw invalidParams(`${label} has no value`)
}
