const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const maxLength = 4_000

/**
 * Decodes base58 (Bitcoin's alphabet); undefined if the string is not base58 or has more than 4,000
 * characters, because the time is quadratic.
 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > maxLength) return undefined
  const digits: number[] = []
  for (const letter of text) {
    let carry = alphabet.indexOf(letter)
    if (carry < 0) return undefined
    for (let at = 0; at < digits.length; at++) {
      carry += (digits[at] ?? 0) * 58
      digits[at] = carry & 255
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) digits.push(carry & 255)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...digits.reverse()])
}

/**
 * Encodes bytes as base58 (Bitcoin's alphabet). Calculates with numbers, because bigints take
 * several times as long for a key.
 */
export function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = []
  for (let carry of bytes) {
    for (let at = 0; at < digits.length; at++) {
      carry += (digits[at] ?? 0) * 256
      digits[at] = carry % 58
      carry = (carry / 58) | 0
    }
    for (; carry > 0; carry = (carry / 58) | 0) digits.push(carry % 58)
  }
  for (let at = 0; bytes[at] === 0; at++) digits.push(0)
  return digits.reduceRight((text, digit) => text + alphabet[digit], '')
}
