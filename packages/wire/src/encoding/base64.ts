/** `base64` has padding (RFC 4648 §4), `base64url` does not (§5). */
export type Base64Form = 'base64' | 'base64url'

const patterns: Record<Base64Form, RegExp> = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  base64url: /^(?:[\w-]{4})*(?:[\w-]{2,3})?$/,
}

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array, form: Base64Form = 'base64'): string {
  let binary = ''
  // The number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  const text = btoa(binary)
  if (form === 'base64') return text
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Decodes a string in exactly this form. Undefined for any other string, and if unused bits remain.
 */
export function decodeBase64(
  text: string,
  form: Base64Form = 'base64',
): Uint8Array<ArrayBuffer> | undefined {
  if (!patterns[form].test(text)) return undefined
  const standard = form === 'base64' ? text : text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
  return encodeBase64(bytes, form) === text ? bytes : undefined
}
