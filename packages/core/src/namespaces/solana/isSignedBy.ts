import { bytesToHex, decodeBase58 } from '@latchkey/wire'

/** Whether a signature (64 bytes, Ed25519) over exactly these bytes is by the account. */
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
