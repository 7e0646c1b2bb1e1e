import { getWalletRoute, listPasskeysRoute } from '@latchkey/wire'
import { callVault } from '../../wallet/vaultServer.ts'

/**
 * Whether the user's passkeys can no longer confirm anything once the wallet in realm `dropped` is
 * deleted: a passkey counts only while it recovers a wallet.
 */
export async function wouldDisablePasskey(
  callPath: Parameters<typeof callVault>[0],
  { dropped, kept }: { readonly dropped: string; readonly kept: string },
): Promise<boolean> {
  const { credentialIds } = await callVault(callPath, listPasskeysRoute, {})
  const confirms = async (realm: string) => {
    const { wallet } = await callVault(callPath, getWalletRoute, { realm })
    return wallet?.factors.some(({ credentialId = '' }) => credentialIds.includes(credentialId))
  }
  return (await confirms(dropped)) === true && (await confirms(kept)) !== true
}
