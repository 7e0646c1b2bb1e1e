/**
 * Decodes UTF-8. Returns undefined if the bytes are not text, so that a user never signs a
 * replacement character for other bytes.
 */
export function decodeUtf8(bytes: AllowSharedBufferSource): string | undefined {
  try {
    // Without `ignoreBOM`, a byte order mark would be signed but not shown.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
