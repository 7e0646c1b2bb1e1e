const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Cs}/gu

/** `text` with each control, direction and zero-width mark written out (`\u{202e}`): what is seen is what is there. */
export const sanitizeText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)

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
