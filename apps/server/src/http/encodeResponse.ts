const maxBodies = 100
const maxBodyBytes = 131_072
const maxTextBytes = 16_384

export type EncodedResponse = {
  readonly text: string
  readonly body: string | Buffer
  readonly length: number
}

/**
 * Encodes the body of a response and caches the result by URL until the body changes. Node sends a
 * short ASCII string together with the headers in one write. A body that is longer or has other
 * characters is encoded to bytes.
 */
export function createEncoder() {
  const bodies = new Map<string, EncodedResponse>()
  return (url: string, text: string): EncodedResponse => {
    const known = bodies.get(url)
    if (known?.text === text) return known
    const length = Buffer.byteLength(text)
    const isShort = length === text.length && length <= maxTextBytes
    const encoded = { text, body: isShort ? text : Buffer.from(text), length }
    bodies.delete(url)
    if (length > maxBodyBytes) return encoded
    if (bodies.size >= maxBodies) bodies.delete(bodies.keys().next().value ?? '')
    bodies.set(url, encoded)
    return encoded
  }
}
