/** Decodes base64 (RFC 4648 §4); undefined unless the text is its only form. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    return encodeBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
