/** Bytes of a text in base64; undefined if it is none. */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Bytes as base64. For transactions, which are short. */
export const bytesToBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
