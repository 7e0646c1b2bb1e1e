import { keccak256, recoverAddress, stringToBytes } from 'viem'

/** What the wallet's key signs for a manifest; see the frame's `digests.ts`. */
export const manifestDigest = (text: string) =>
  keccak256(stringToBytes(`latchkey manifest v1\n${text}`))

/** What the wallet's key signs to commit a change. */
export const commitDigest = (change: {
  readonly walletId: string
  readonly changeId: string
  readonly epoch: number
  readonly deviceId: string
  readonly jkt: string
}) => {
  const { walletId, changeId, epoch, deviceId, jkt } = change
  const text = JSON.stringify([walletId, changeId, epoch, deviceId, jkt])
  return keccak256(stringToBytes(`latchkey commit v1\n${text}`))
}

/** Whether the EVM account signed this digest. */
export async function isSignedBy(
  address: string,
  { digest, signature }: { readonly digest: `0x${string}`; readonly signature: string },
): Promise<boolean> {
  try {
    const signer = await recoverAddress({ hash: digest, signature: signature as `0x${string}` })
    return signer === address
  } catch {
    return false
  }
}
