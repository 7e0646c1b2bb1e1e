import { sanitizeText } from '@latchkey/wire'

/**
 * Sanitizes a third-party name to one line: invisible characters are written out, stacked accents
 * are limited, and the result has at most `maxLength` characters.
 */
export function sanitizeName(text: string, maxLength = 32): string {
  const plain = sanitizeText(text.normalize('NFC'))
    .replace(/\s+/g, ' ')
    .replace(/(\p{M})\p{M}+/gu, '$1')
    .trim()
  const letters = [...plain]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : plain
}

/** Whether a string contains invisible characters. */
export const hasInvisibleCharacters = (text: string): boolean =>
  sanitizeText(text) !== text.replaceAll('\r\n', '\n')
