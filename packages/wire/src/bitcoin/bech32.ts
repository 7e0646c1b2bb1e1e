import { bech32, bech32m } from '@scure/base'

/** A witness program: the content of the address of a segregated witness output. */
export type WitnessProgram = { version: number; program: Uint8Array }

/** Version 0 has the checksum of BIP-173, later versions have the checksum of BIP-350. */
const getFormat = (version: number) => (version === 0 ? bech32 : bech32m)

/**
 * Reads an address of a human-readable part, which has to be the network's. Undefined for any other
 * text.
 */
export function decodeSegwit(address: string, hrp: string): WitnessProgram | undefined {
  for (const format of [bech32, bech32m]) {
    const { prefix, words = [] } = format.decodeUnsafe(address) ?? {}
    const [version = -1, ...rest] = words
    if (prefix !== hrp || version > 16 || getFormat(version) !== format) continue
    const program = format.fromWordsUnsafe(rest)
    if (!program || program.length < 2 || program.length > 40) return undefined
    if (version === 0 && program.length !== 20 && program.length !== 32) return undefined
    return { version, program }
  }
  return undefined
}

/** The address of a witness program. */
export function encodeSegwit({ version, program }: WitnessProgram, hrp: string): string {
  const format = getFormat(version)
  return format.encode(hrp, [version, ...format.toWords(program)])
}
