import { bytesToHex } from '@latchkey/wire'
import type { SolanaMessage } from '@latchkey/wire/solana'

/**
 * Formats everything in the signed part of a Solana transaction: two strings are equal only if
 * their bytes are equal. The page formats the transaction that it shows, the worker the bytes that
 * it is about to sign.
 */
export const formatReview = (message: SolanaMessage): string =>
  JSON.stringify([
    message.version,
    [message.signerCount, message.readonlySignerCount, message.readonlyOtherCount],
    message.keys,
    message.blockhash,
    message.instructions.map(({ program, accounts, data }) => [
      program,
      accounts,
      bytesToHex(data),
    ]),
    message.lookups.map(({ table, writable, readonly }) => [table, writable, readonly]),
  ])
