import { type MoveFacts, moveMessage, parseMove, type WalletMove } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, toBytes, utf8 } from '../crypto/bytes.ts'
import { recoverSigner } from '../crypto/digests.ts'

/** The digest of a move, which both wallets sign. */
export const migrationDigest = (text: string): Bytes => toBytes(keccak_256(utf8(moveMessage(text))))

/**
 * Parses a move of that user, if both wallets that it names have signed it; otherwise undefined.
 * The caller has to check that these are the user's wallets: anyone can name, and sign for, their
 * own wallets.
 */
export function readSignedMigration(move: WalletMove, userId: string): MoveFacts | undefined {
  try {
    const facts = parseMove(move.text)
    const digest = migrationDigest(move.text)
    const isSigned =
      recoverSigner(digest, move.signature) === facts.from.addresses.eip155 &&
      recoverSigner(digest, move.toSignature) === facts.to.addresses.eip155
    return isSigned && facts.userId === userId ? facts : undefined
  } catch {
    return undefined
  }
}

type MigrationSide = MoveFacts['to']

/** Whether both are the same wallet, of the same age. */
export const isSameWallet = (a: MigrationSide, b: MigrationSide): boolean =>
  a.walletId === b.walletId &&
  a.realm === b.realm &&
  a.addresses.eip155 === b.addresses.eip155 &&
  a.addresses.solana === b.addresses.solana
