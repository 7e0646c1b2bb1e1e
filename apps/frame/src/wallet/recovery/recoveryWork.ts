import { toPhrase } from '../crypto/deriveAccounts.ts'
import { openWallet } from '../openWallet.ts'
import { revokeWalletDevice } from '../revokeWalletDevice.ts'
import { reshareKey } from '../rotation/reshareKey.ts'
import { rotateWallet } from '../rotation/rotateWallet.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import type { KeyWork } from '../worker/messages.ts'
import { addRecoveryFactor } from './addRecoveryFactor.ts'
import { finishAssistedRecovery, recoverWallet, startAssistedRecovery } from './recoverWallet.ts'
import { makeRecoveryBundle } from './recoveryBundle.ts'

type RecoveryWork = KeyWork<
  | 'recover'
  | 'startAssisted'
  | 'finishAssisted'
  | 'addFactor'
  | 'reshareKey'
  | 'rotate'
  | 'revoke'
  | 'exportWords'
  | 'bundle'
>

/** The tasks that recover a wallet, change its key, or remove it from this browser. */
export const recoveryWork = (
  vault: WalletVault,
  who: () => Promise<VaultIdentity>,
): RecoveryWork => ({
  recover: async (parameters) => ({ addresses: await recoverWallet(vault, parameters) }),
  startAssisted: (parameters) => startAssistedRecovery(vault, parameters),
  finishAssisted: (parameters) => finishAssistedRecovery(vault, parameters),
  async addFactor({ factor }) {
    await addRecoveryFactor(vault, await who(), factor)
    return {}
  },
  reshareKey: async () => ({ addresses: await reshareKey(vault) }),
  rotate: async ({ factors }) => ({ addresses: await rotateWallet(vault, { factors }) }),
  async revoke({ id }) {
    await revokeWalletDevice(vault, await who(), id)
    return {}
  },
  exportWords: ({ realm }) =>
    withWalletLock(vault, async () => {
      const own = await who()
      const of = { ...own, realm: realm ?? own.realm }
      return { words: await openWallet(vault, of, ({ secrets }) => toPhrase(secrets.seed)) }
    }),
  bundle: () =>
    withWalletLock(vault, async () => ({ bundle: await makeRecoveryBundle(vault, await who()) })),
})
