import { bytesToHex, decodeBase58 } from '@latchkey/wire'

/** Whether a signature of 64 bytes is the account's over exactly these bytes (Ed25519). */
export async function hasValidSignature({
  address,
  signature,
  bytes,
}: {
  address: string
  signature: Uint8Array
  bytes: Uint8Array
}): Promise<boolean> {
  const key = bytesToHex(decodeBase58(address) ?? new Uint8Array())
  const { curves } = await import('@latchkey/walletconnect/curves')
  return curves.verify(key, signature, bytes).catch(() => false)
}
