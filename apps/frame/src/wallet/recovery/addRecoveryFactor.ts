import { addFactor } from '@latchkey/wire'
import { coreOf } from '../manifest.ts'
import { openWallet } from '../openWallet.ts'
import { type Identity, type Vault, whileAlone } from '../vault.ts'
import { ask } from '../vaultServer.ts'
import { type FactorSetup, wrapFactor } from './factors.ts'

/** One more way to recover the wallet. With `operator` its operator could sign: say so before. */
export const addRecoveryFactor = (vault: Vault, who: Identity, setup: FactorSetup): Promise<void> =>
  whileAlone(vault, async () => {
    const factor = await openWallet(vault, who, ({ secrets, record, half }) => {
      const core = coreOf({ ...record, recoveryKey: half.recoveryKey })
      return wrapFactor(setup, secrets.recoveryKey, core)
    })
    await ask(vault.call, addFactor, { factor })
  })
