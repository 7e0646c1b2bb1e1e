/** Matches a pairing URI from its beginning: plain, percent-encoded, or encoded twice. */
const beginning = /wc(?::|%3a|%253a)(?:\/\/|%2f%2f|%252f%252f)?[0-9a-f]{64}(?:@|%40|%2540).*/is

/**
 * Finds a pairing URI in a string that a user copies, scans or opens: in any case, in quotes, with
 * `&amp;`, percent-encoded, or as the parameter of a wallet's link. Returns undefined if there is
 * no pairing URI.
 */
export function findPairingUri(text: string): string | undefined {
  const found = beginning.exec(text.replaceAll(/&(?:amp|#38|#x26);/gi, '&'))?.[0]
  if (found === undefined) return undefined
  const encoded = /^wc%(25)?3a/i.exec(found)
  // Everything after a percent-encoded URI belongs to the link around it.
  const [whole = ''] = (encoded ? /^[^&#]*/ : /^[^#]*/).exec(found) ?? []
  const [own = ''] = /^[^"'`<>“”‘’«»\\]*/.exec(whole) ?? []
  return decode(own, encoded ? (encoded[1] ? 2 : 1) : 0)
    .replace(/[\s.,;:)}]+$/, '')
    .replace(/^wc:/i, 'wc:')
}

function decode(text: string, times: number): string {
  if (times === 0) return text
  try {
    return decode(decodeURIComponent(text), times - 1)
  } catch {
    return text
  }
}
