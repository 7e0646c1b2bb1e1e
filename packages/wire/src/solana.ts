/**
 * Solana's transactions as bytes. A separate entry point, because only pages with Solana load it.
 */
export {
  encodeSolanaTransaction,
  isSigner,
  isWritable,
  parseSolanaTransaction,
  parseTransactionMessage,
  type SolanaMessage,
  type SolanaTransaction,
} from './solana/parseTransaction.ts'
export { readBytes, type SolanaByteReader } from './solana/readBytes.ts'
