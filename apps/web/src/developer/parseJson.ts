import { text } from '../locales/text.ts'

/**
 * Parameters of a request: a JSON list or object; nothing typed is an empty list. Throws an Error
 * for a person.
 */
export function parseParams(source: string): readonly unknown[] | object {
  if (source.trim() === '') return []
  const value = parse(source)
  if (typeof value !== 'object' || value === null) throw new Error(text('dev.noList'))
  return value
}

/** A JSON object. Throws an Error for a person. */
export function parseObject(source: string): Record<string, unknown> {
  const value = parse(source)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(text('dev.noObject'))
  return value as Record<string, unknown>
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(text('dev.noJson', { reason }), { cause })
  }
}
