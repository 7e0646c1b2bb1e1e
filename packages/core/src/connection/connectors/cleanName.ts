/** Longest name that is shown. */
export const maxNameLength = 40

/** A wallet's name as text that cannot reorder or hide what stands around it. */
export function cleanName(name: unknown): string {
  if (typeof name !== 'string') return ''
  const text = name
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return [...text].slice(0, maxNameLength).join('').trim()
}
