import { decodeUtf8 } from '@latchkey/wire'
import { parseSolanaTransaction, parseTransactionMessage } from '@latchkey/wire/solana'
import { parseOffchainMessage } from './parseOffchainMessage.ts'

/**
 * Whether bytes could be a Solana transaction: a legacy transaction that parses completely, with
 * its signatures or without; or anything of a later version, whose first byte has the highest bit
 * set, unless it is text or an off-chain message.
 */
export function isTransaction(bytes: Uint8Array): boolean {
  if ((bytes[0] ?? 0) >= 0x80)
    return decodeUtf8(bytes) === undefined && parseOffchainMessage(bytes) === undefined
  return parses(parseTransactionMessage, bytes) || parses(parseSolanaTransaction, bytes)
}

function parses(parse: (bytes: Uint8Array) => unknown, bytes: Uint8Array): boolean {
  try {
    parse(bytes)
    return true
  } catch {
    return false
  }
}
