import { bytesToHex } from '@latchkey/wire'

export type SignatureType = 'ed25519' | 'sr25519' | 'ecdsa'

/**
 * How an account has signed exactly these bytes; undefined when it has not. An address does not say
 * which of the three its key is for, and its networks accept any of them. What is needed to verify
 * is loaded.
 */
export async function getSignatureType(parameters: {
  /** 32 bytes. */
  account: Uint8Array
  message: Uint8Array
  /** 64 bytes, or 65 of ecdsa. */
  signature: Uint8Array
}): Promise<SignatureType | undefined> {
  const { account, message, signature } = parameters
  if (signature.length === 65) {
    const { verifyEcdsa } = await import('./verifyEcdsa.ts')
    return verifyEcdsa(parameters) ? 'ecdsa' : undefined
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
    // Another length, or points that are none.
    return false
  }
}
