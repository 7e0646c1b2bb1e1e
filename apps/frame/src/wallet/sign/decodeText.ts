/** Decodes UTF-8; undefined if the bytes are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // Without `ignoreBOM`, a byte order mark would be signed but not shown.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
