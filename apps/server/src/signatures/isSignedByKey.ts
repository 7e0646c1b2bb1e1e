import { type RecoverKey, type SignedMessage, verifyKeySignature } from '@latchkey/wire/siwx'
import { recover } from 'tiny-secp256k1'

/**
 * Whether the key of the account itself has signed, as in {@link verifyKeySignature}. libsecp256k1
 * in WebAssembly recovers the signers of EVM chains in a fifth of the time, because this runs in
 * the process that serves all clients.
 */
export const isSignedByKey = (signed: SignedMessage): boolean =>
  verifyKeySignature(signed, recoverKey)

const recoverKey: RecoverKey = (hash, signature, recovery) =>
  recover(hash, signature, recovery, false)
