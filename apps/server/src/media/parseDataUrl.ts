/** The content of a `data:` URL; `type` is in lower case, without parameters. */
export type Data = { readonly type: string; readonly bytes: Buffer }

/**
 * Reads a `data:` URL (RFC 2397) in the forms that contracts write: base64 with and without padding
 * and in both alphabets, percent-encoded, or bare text with unescaped `#` and `%`. Undefined if
 * `text` is not a data URL.
 */
export function parseDataUrl(text: string): Data | undefined {
  const comma = text.indexOf(',')
  if (!/^data:/i.test(text) || comma < 0 || comma > 500) return undefined
  const [type = '', ...parameters] = text.slice('data:'.length, comma).toLowerCase().split(';')
  const body = text.slice(comma + 1)
  const base64 = parameters.some((parameter) => parameter.trim() === 'base64')
  const bytes = base64 ? decodeBase64(body) : decodePercent(body)
  return bytes && { type: type.trim() || 'text/plain', bytes }
}

function decodeBase64(text: string): Buffer | undefined {
  const plain = (
    /%[0-9a-f]{2}/i.test(text) ? decodePercent(text).toString('latin1') : text
  ).replace(/\s+/g, '')
  // Match from the start only: a pattern that ends in `=+$` starts again at each of a million
  // characters.
  return /^[\w+/-]*=*$/.test(plain) ? Buffer.from(plain, 'base64') : undefined
}

/** Each `%` with two hex digits is a byte; any other `%` stands for itself. */
function decodePercent(text: string): Buffer {
  const source = Buffer.from(text)
  const bytes = Buffer.alloc(source.length)
  let length = 0
  for (let index = 0; index < source.length; index++) {
    const hex = source[index] === percent ? source.toString('latin1', index + 1, index + 3) : ''
    const encoded = /^[0-9a-f]{2}$/i.test(hex)
    bytes[length++] = encoded ? Number.parseInt(hex, 16) : (source[index] ?? 0)
    if (encoded) index += 2
  }
  return bytes.subarray(0, length)
}

const percent = 0x25
