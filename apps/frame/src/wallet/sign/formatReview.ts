import { bytesToHex } from '@latchkey/wire'
import type { SolanaMessage } from '@latchkey/wire/solana'

/**
 * Everything that the signed part of a Solana transaction says, as text: two are the same only if
 * their bytes are. The page takes it from what it shows, the worker from the bytes that it is to
 * sign.
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
