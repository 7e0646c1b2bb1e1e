import type { SignedText } from './verifyKeySignature.ts'

/** The end of each signature of ERC-8010. */
const erc8010 = /^0x[0-9a-f]*(?:8010){16}$/i

/**
 * Explains in a sentence which kind of signature is not supported; undefined for signatures of a
 * supported kind.
 */
export function explainRefusal({
  chainId,
  signature,
}: Pick<SignedText, 'chainId' | 'signature'>): string | undefined {
  if (chainId.startsWith('eip155:') && erc8010.test(signature))
    return 'ERC-8010 signatures are not verified: put the delegation on the chain first, or sign with the key of the account'
  if (!chainId.startsWith('bip122:')) return undefined
  if (/^ful/.test(signature))
    return "BIP-322's full form is not verified: use the simple form, or a key or multisig without a time lock"
  return /^pof/.test(signature) ? "BIP-322's proofs of funds are not verified" : undefined
}
