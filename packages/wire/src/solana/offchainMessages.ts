import { concatBytes } from '@noble/hashes/utils.js'

const prefix = Uint8Array.of(0xff, ...new TextEncoder().encode('solana offchain'))
/**
 * Restricted ASCII, UTF-8 that a device can show, UTF-8. Wallets choose different formats for
 * messages with several lines.
 */
const formats = [0, 1, 2]
const maxLength = 0xffff

/**
 * Lists the off-chain messages that wrap a message of one signer; a Ledger signs such a message
 * instead of the plain bytes. Version 0 with the whole header and no application, version 0 with
 * the short header of older programs, and version 1.
 */
export function listOffchainMessages(text: Uint8Array, signer: Uint8Array): Uint8Array[] {
  if (text.length === 0 || text.length > maxLength) return []
  const length = Uint8Array.of(text.length & 0xff, text.length >> 8)
  const signers = concatBytes(Uint8Array.of(1), signer)
  const application = new Uint8Array(32)
  return [
    ...formats.flatMap((format) => {
      const kind = Uint8Array.of(format)
      return [
        concatBytes(prefix, Uint8Array.of(0), application, kind, signers, length, text),
        concatBytes(prefix, Uint8Array.of(0), kind, length, text),
      ]
    }),
    concatBytes(prefix, Uint8Array.of(1), signers, text),
  ]
}
