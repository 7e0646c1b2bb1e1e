import { sanitizeText } from '@latchkey/wire'

/** A name that somebody else chose, on one line: marks written out, so many stacked accents cut, at most `maxLength` letters. */
export function sanitizeName(text: string, maxLength = 32): string {
  const plain = sanitizeText(text.normalize('NFC'))
    .replace(/\s+/g, ' ')
    .replace(/(\p{M})\p{M}+/gu, '$1')
    .trim()
  const letters = [...plain]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : plain
}

/** Whether a text has marks that are not seen. */
export const hasInvisibleCharacters = (text: string): boolean =>
  sanitizeText(text) !== text.replaceAll('\r\n', '\n')
