import { cleanText } from '@latchkey/wire'

/** Longest name that is shown. */
const maxNameLength = 40

/**
 * A wallet's name, without characters that join letters and without those that reorder or hide
 * surrounding text.
 */
export const cleanName = (name: unknown): string =>
  (typeof name === 'string' &&
    cleanText(name.slice(0, 1000).replace(/\p{Cf}/gu, ''), { maxLength: maxNameLength })) ||
  ''

/** Longest icon, in characters of its data URL. */
const maxIconLength = 512 * 1024

/** A wallet's icon if it is a data URL; the page loads no icons from elsewhere. */
export function cleanIcon(icon: unknown): string | undefined {
  if (typeof icon !== 'string' || icon.length > maxIconLength) return undefined
  const url = icon.trim()
  return /^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i.test(url) ? url : undefined
}
