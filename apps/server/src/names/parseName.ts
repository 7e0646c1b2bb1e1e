import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'

/** A name below a zone, in lower case. */
export type ParsedName = { readonly name: string; readonly label: string; readonly zone: string }

const minLabel = 3
const maxLabel = 64

/**
 * Parses a name (`alice.latchkey.id`, in any case), or returns a failure: first for its characters,
 * then for its length, then for its zone. Hyphens are allowed only between other characters, and
 * never in the third and fourth place (`xn--`), so that every name is also valid in ENS and DNS.
 */
export function parseName(
  zones: readonly string[],
  text: string,
): ParsedName | { readonly failure: Failure } {
  const name = text.toLowerCase()
  const [label = '', ...rest] = name.split('.')
  if (!/^[a-z0-9.-]+$/.test(name) || rest.length !== 2 || !isLabel(label))
    return { failure: badRequest('name', nameFormat) }
  if (label.length < minLabel || label.length > maxLabel)
    return { failure: badRequest('name', `A name has ${minLabel} to ${maxLabel} characters`) }
  const zone = rest.join('.')
  if (!zones.includes(zone)) return { failure: badRequest('name', zoneText(zones)) }
  return { name, label, zone }
}

/** As {@link parseName}. Throws {@link HttpFailure}. */
export function requireName(zones: readonly string[], text: string): ParsedName {
  const parsed = parseName(zones, text)
  if ('failure' in parsed) throw new HttpFailure(parsed.failure)
  return parsed
}

/** The label of a name that the user is still typing, or undefined if it cannot become a name. */
export function parseLabel(text: string): string | undefined {
  const label = text.toLowerCase()
  return /^[a-z0-9-]+$/.test(label) && label.length >= minLabel && label.length <= maxLabel
    ? label
    : undefined
}

/** Whether a label can be registered as it is. */
export const isLabel = (label: string): boolean =>
  /^[a-z0-9]/.test(label) && /[a-z0-9]$/.test(label) && label.slice(2, 4) !== '--'

const nameFormat =
  'The name is not valid. Use letters, digits and inner hyphens, then the zone, such as alice.latchkey.id'

const zoneText = (zones: readonly string[]) =>
  zones.length === 0 ? 'This server has no names' : `Names here end in .${zones.join(' or .')}`
