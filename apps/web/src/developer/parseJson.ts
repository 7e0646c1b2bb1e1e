import { text } from '../locales/text.ts'

/**
 * Parses the parameters of a request: a JSON list or object; empty input is an empty list. Throws
 * an Error whose message is for the user.
 */
export function parseParams(source: string): readonly unknown[] | object {
  if (source.trim() === '') return []
  const value = parse(source)
  if (typeof value !== 'object' || value === null) throw new Error(text('dev.noList'))
  return value
}

/** Parses a JSON object. Throws an Error whose message is for the user. */
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
