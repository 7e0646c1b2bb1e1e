const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The bytes of a base58btc text, or undefined if the text is not valid. For short texts only: the time grows quadratically. */
export function decodeBase58(text: string): Uint8Array | undefined {
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const hex = value === 0n ? '' : value.toString(16)
  const digits = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')
  return Uint8Array.from([...new Uint8Array(zeros), ...digits])
}
