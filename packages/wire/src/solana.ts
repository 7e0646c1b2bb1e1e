/**
 * Solana's transactions as bytes. A separate entry point, because only pages with Solana load it.
 */
export {
  encodeTransaction,
  isSigner,
  isWritable,
  parseTransaction,
  parseTransactionMessage,
  type SolanaMessage,
  type SolanaTransaction,
} from './solana/parseTransaction.ts'
export { type ByteReader, readBytes } from './solana/readBytes.ts'
