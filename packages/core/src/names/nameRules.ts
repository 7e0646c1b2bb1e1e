/** The minimum length in our form; servers accept one character less. */
const minLabel = 4
const maxLabel = 64

/**
 * Reduces typed input to the characters that a name can have: letters, digits and hyphens, in lower
 * case.
 */
export const cleanLabel = (typed: string): string =>
  typed
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, maxLabel)

/** The problem with the part of a name before its zone; undefined if it can be registered. */
export function nameProblem(label: string): 'short' | 'invalid' | undefined {
  if (cleanLabel(label) !== label || /^-|-$|^..--/.test(label)) return 'invalid'
  return label.length < minLabel ? 'short' : undefined
}
