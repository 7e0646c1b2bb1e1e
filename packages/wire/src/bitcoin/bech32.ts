/** A witness program: the content of the address of a segregated witness output. */
export type WitnessProgram = { version: number; program: Uint8Array }

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
/** The checksum constants of version 0 (BIP-173) and of later versions (BIP-350). */
const bech32 = 1
const bech32m = 0x2bc830a3
const checksumLength = 6
const maxLength = 90

/**
 * Reads an address of a human-readable part, which has to be the network's. Undefined for any other
 * text.
 */
export function decodeSegwit(address: string, hrp: string): WitnessProgram | undefined {
  const text = address.toLowerCase()
  if (address.length > maxLength || (address !== text && address !== address.toUpperCase()))
    return undefined
  if (!text.startsWith(`${hrp}1`)) return undefined
  const words = Array.from(text.slice(hrp.length + 1), (letter) => alphabet.indexOf(letter))
  const [version = -1] = words
  if (words.includes(-1) || words.length <= checksumLength || version > 16) return undefined
  const wanted = version === 0 ? bech32 : bech32m
  if (getChecksum([...expand(hrp), ...words]) !== wanted) return undefined
  const program = toBytes(words.slice(1, -checksumLength))
  if (!program || program.length < 2 || program.length > 40) return undefined
  if (version === 0 && program.length !== 20 && program.length !== 32) return undefined
  return { version, program }
}

/** The address of a witness program. */
export function encodeSegwit({ version, program }: WitnessProgram, hrp: string): string {
  const words = [version, ...toWords(program)]
  const zeros = new Array<number>(checksumLength).fill(0)
  const sum = getChecksum([...expand(hrp), ...words, ...zeros]) ^ (version === 0 ? bech32 : bech32m)
  const checksum = zeros.map((_, at) => (sum >>> (5 * (checksumLength - 1 - at))) & 31)
  return `${hrp}1${[...words, ...checksum].map((word) => alphabet.charAt(word)).join('')}`
}

const expand = (hrp: string): number[] => {
  const codes = Array.from(hrp, (letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

const getChecksum = (words: readonly number[]): number =>
  words.reduce((sum, word) => {
    const top = sum >>> 25
    return generator.reduce(
      (next, value, at) => ((top >> at) & 1 ? next ^ value : next),
      ((sum & 0x1ffffff) << 5) ^ word,
    )
  }, 1)

function toWords(bytes: Uint8Array): number[] {
  const words: number[] = []
  let [bits, value] = [0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) words.push((value >> (bits - 5)) & 31)
  }
  if (bits > 0) words.push((value << (5 - bits)) & 31)
  return words
}

/** Undefined if bits other than zero are left over. */
function toBytes(words: readonly number[]): Uint8Array | undefined {
  const bytes: number[] = []
  let [bits, value] = [0, 0]
  for (const word of words) {
    value = ((value << 5) | word) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 255)
  }
  return bits < 5 && (value & ((1 << bits) - 1)) === 0 ? Uint8Array.from(bytes) : undefined
}
