import { type MoveFacts, moveFacts, moveMessage, type WalletMove } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, toBytes, utf8 } from '../crypto/bytes.ts'
import { recoverSigner } from '../crypto/digests.ts'

/** The digest of a move, which both wallets sign. */
export const moveDigest = (text: string): Bytes => toBytes(keccak_256(utf8(moveMessage(text))))

/** Reads a move that the wallet with `address` has signed to leave. Throws on any other. */
export function readSignedMove({ text, signature }: WalletMove, address: string): MoveFacts {
  if (recoverSigner(moveDigest(text), signature) !== address)
    throw new Error('the move has another signer')
  const facts = moveFacts.parse(JSON.parse(text))
  if (facts.from.eip155 !== address) throw new Error('the move is of another wallet')
  return facts
}
