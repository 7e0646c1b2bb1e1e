import { wordsOf } from '../crypto/deriveAccounts.ts'
import { openWallet } from '../openWallet.ts'
import { resplitWallet } from '../resplitWallet.ts'
import { revokeWalletDevice } from '../revokeWalletDevice.ts'
import { rotateWallet } from '../rotateWallet.ts'
import { type Identity, type Vault, whileAlone } from '../vault.ts'
import type { Works } from '../worker/createKeyWork.ts'
import { addRecoveryFactor } from './addRecoveryFactor.ts'
import { finishAssistedRecovery, recoverWallet, startAssistedRecovery } from './recoverWallet.ts'
import { makeRecoveryBundle } from './recoveryBundle.ts'

type RecoveryWork = Works<
  | 'recover'
  | 'startAssisted'
  | 'finishAssisted'
  | 'addFactor'
  | 'resplit'
  | 'rotate'
  | 'revoke'
  | 'exportWords'
  | 'bundle'
>

/** What brings a wallet back, changes its key, or takes it out of this browser. */
export const recoveryWork = (vault: Vault, who: () => Promise<Identity>): RecoveryWork => ({
  recover: async ({ secret }) => ({ addresses: await recoverWallet(vault, { secret }) }),
  startAssisted: () => startAssistedRecovery(vault),
  finishAssisted: (given) => finishAssistedRecovery(vault, given),
  async addFactor({ factor }) {
    await addRecoveryFactor(vault, await who(), factor)
    return {}
  },
  resplit: async () => ({ addresses: await resplitWallet(vault) }),
  rotate: async ({ factors }) => ({ addresses: await rotateWallet(vault, { factors }) }),
  async revoke({ id }) {
    await revokeWalletDevice(vault, await who(), id)
    return {}
  },
  exportWords: () =>
    whileAlone(vault, async () => ({
      words: await openWallet(vault, await who(), ({ secrets }) => wordsOf(secrets.seed)),
    })),
  bundle: () =>
    whileAlone(vault, async () => ({ bundle: await makeRecoveryBundle(vault, await who()) })),
})
