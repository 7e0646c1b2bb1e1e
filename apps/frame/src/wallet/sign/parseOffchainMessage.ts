import { readBytes } from '@latchkey/wire/solana'

/** A Solana off-chain message: text that can be no transaction. */
export type OffchainMessage = {
  readonly text: string
  /** The other signers of the message, base58. */
  readonly signers: readonly string[]
  /**
   * The application of the message (version 0 only), base58; undefined if it names no application.
   */
  readonly domain: string | undefined
}

const prefix = [0xff, ...new TextEncoder().encode('solana offchain')]
const noDomain = '1'.repeat(32)
const maxShortBytes = 1232

/** Parses an off-chain message of version 0 or 1; undefined unless it is in exactly that form. */
export function parseOffchainMessage(bytes: Uint8Array): OffchainMessage | undefined {
  try {
    const reader = readBytes(bytes)
    if (prefix.some((byte) => byte !== reader.u8())) return undefined
    const version = reader.u8()
    if (version > 1) return undefined
    const domain = version === 0 ? reader.key() : noDomain
    const format = version === 0 ? reader.u8() : 1
    const signers = Array.from({ length: reader.u8() }, reader.key)
    const length = version === 0 ? reader.u16() : reader.left()
    const text = reader.text(length)
    reader.end()
    if (length === 0 || signers.length === 0 || new Set(signers).size !== signers.length)
      return undefined
    if (format > 2 || (format === 0 && !/^[\n -~]+$/.test(text))) return undefined
    if (version === 0 && format < 2 && bytes.length > maxShortBytes) return undefined
    return { text, signers, domain: domain === noDomain ? undefined : domain }
  } catch {
    return undefined
  }
}
