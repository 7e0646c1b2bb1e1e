import { type RecoverKey, type SignedMessage, verifyKeySignature } from '@latchkey/wire/siwx'
import { recover } from 'tiny-secp256k1'

/**
 * Whether the key of the account itself has signed, as {@link verifyKeySignature} says. Signers of
 * EVM chains are recovered by libsecp256k1 in WebAssembly, which takes a fifth of the time: it runs
 * in the process that answers everybody.
 */
export const isSignedByKey = (signed: SignedMessage): boolean =>
  verifyKeySignature(signed, recoverKey)

const recoverKey: RecoverKey = (hash, signature, recovery) =>
  recover(hash, signature, recovery, false)
