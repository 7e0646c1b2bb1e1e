/**
 * Makes a string from an untrusted source safe to show in a list or as a label. No control
 * characters, no characters that change the writing direction or are invisible, no stacks of marks,
 * one line (or, with `lines`, several), at most `maxLength` characters. Null if nothing is left.
 * For data to sign, use `sanitizeText`, which leaves nothing out.
 */
export function cleanText(
  text: string,
  { maxLength, lines = 1 }: { readonly maxLength: number; readonly lines?: number },
): string | null {
  // Truncates first, so that long strings cost nothing.
  const plain = text
    .slice(0, maxLength * 8)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(unseen, '')
    .replace(towers, '$1')
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(blanks, ' ').trim())
  const joined = lines === 1 ? plain.join(' ') : plain.slice(0, lines).join('\n')
  const short = shorten(joined.trim().replace(/ {2,}/g, ' '), maxLength)
  return short === '' ? null : short
}

// Controls except tab and line ends; format characters, which change the direction or are
// invisible, except the joiners of emoji and of some scripts; private characters; letters without a
// glyph.
const unseen =
  /(?![\t\n\r\u0085\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu
const towers = /(\p{M}{3})\p{M}+/gu
const blanks = /[\s\u2800]+/gu

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')
  return `${cut.trimEnd()}…`
}
