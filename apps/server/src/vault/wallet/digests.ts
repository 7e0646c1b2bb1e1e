import { commitMessage, manifestMessage } from '@latchkey/wire'
import { keccak256, recoverAddress, stringToBytes } from 'viem'

/** The digest of a manifest, which the wallet's key signs. */
export const manifestDigest = (text: string) => keccak256(stringToBytes(manifestMessage(text)))

/**
 * The digest that the wallet's key signs to commit a change. `jkt`: thumbprint of the device's
 * session key.
 */
export const commitDigest = ({
  jkt,
  ...change
}: Omit<Parameters<typeof commitMessage>[0], 'deviceThumb'> & { readonly jkt: string }) =>
  keccak256(stringToBytes(commitMessage({ ...change, deviceThumb: jkt })))

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
