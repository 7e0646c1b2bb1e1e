import { bytesToHex } from '@latchkey/wire'

/**
 * Whether an account has signed exactly these bytes, by sr25519, ed25519 or ecdsa. An address does not say which, and its
 * networks accept any of them; what is needed to verify is loaded.
 */
export async function isSignedBy(parameters: {
  /** 32 bytes. */
  account: Uint8Array
  message: Uint8Array
  /** 64 bytes, or 65 of ecdsa. */
  signature: Uint8Array
}): Promise<boolean> {
  const { account, message, signature } = parameters
  if (signature.length === 65) {
    const { verifyEcdsa } = await import('./verifyEcdsa.ts')
    return verifyEcdsa(parameters)
  }
  const { verifySr25519 } = await import('./verifySr25519.ts')
  if (verifySr25519({ publicKey: account, message, signature })) return true
  const { curves } = await import('@latchkey/walletconnect/curves')
  return curves.verify(bytesToHex(account), signature, message).catch(() => false)
}
