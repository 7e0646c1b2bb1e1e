/** Bytes of a transaction as base64. */
export const bytesToBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** The inverse of {@link bytesToBase64}. Throws when the text is none. */
export const base64ToBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
