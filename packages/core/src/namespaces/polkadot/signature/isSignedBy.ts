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
  if (await isSr25519(parameters)) return true
  const { curves } = await import('@latchkey/walletconnect/curves')
  return curves.verify(bytesToHex(account), signature, message).catch(() => false)
}

async function isSr25519(parameters: Parameters<typeof isSignedBy>[0]): Promise<boolean> {
  const { account, message, signature } = parameters
  const { verify } = await import('@scure/sr25519')
  try {
    return verify(message, signature, account)
  } catch {
    // Another length, or points that are none.
    return false
  }
}
