import { bytesToHex } from '@latchkey/wire'

export type SignatureType = 'ed25519' | 'sr25519' | 'ecdsa'

/**
 * The type of an account's signature over exactly these bytes; undefined if the account has not
 * signed them. An address does not reveal which of the three types its key has, and its networks
 * accept all of them. Loads what it needs to verify.
 */
export async function getSignatureType(parameters: {
  /** 32 bytes. */
  account: Uint8Array
  message: Uint8Array
  /** 64 bytes, or 65 for ecdsa. */
  signature: Uint8Array
}): Promise<SignatureType | undefined> {
  const { account, message, signature } = parameters
  if (signature.length === 65) {
    const { verifyPolkadotEcdsa } = await import('./verifyEcdsa.ts')
    return verifyPolkadotEcdsa(parameters) ? 'ecdsa' : undefined
  }
  if (await isSr25519(parameters)) return 'sr25519'
  const { curves } = await import('@latchkey/walletconnect/curves')
  const isEd25519 = await curves.verify(bytesToHex(account), signature, message).catch(() => false)
  return isEd25519 ? 'ed25519' : undefined
}

async function isSr25519(parameters: Parameters<typeof getSignatureType>[0]): Promise<boolean> {
  const { account, message, signature } = parameters
  const { verify } = await import('@scure/sr25519')
  try {
    return verify(message, signature, account)
  } catch {
    // The length is wrong, or the points are not on the curve.
    return false
  }
}
