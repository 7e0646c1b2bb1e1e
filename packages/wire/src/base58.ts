const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const maxLength = 4_000

/** Decodes base58 (Bitcoin's alphabet); undefined if the text is not base58 or has more than 4,000 characters, as time grows with the square. */
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

/** Encodes bytes as base58 (Bitcoin's alphabet). */
export function encodeBase58(bytes: Uint8Array): string {
  let rest = 0n
  for (const byte of bytes) rest = rest * 256n + BigInt(byte)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet.charAt(Number(rest % 58n)) + text
  for (let at = 0; bytes[at] === 0; at++) text = `1${text}`
  return text
}
