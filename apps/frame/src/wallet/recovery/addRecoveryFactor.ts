import { addFactorRoute } from '@latchkey/wire'
import { getWalletCore } from '../manifest.ts'
import { openWallet } from '../openWallet.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { type FactorSetup, wrapFactor } from './factors.ts'

/** Adds a recovery factor. With `operator`, the operator could sign: tell the user before. */
export const addRecoveryFactor = (
  vault: WalletVault,
  who: VaultIdentity,
  setup: FactorSetup,
): Promise<void> =>
  withWalletLock(vault, async () => {
    const body = await openWallet(vault, who, async ({ secrets, record, deviceSplit }) => {
      const core = getWalletCore({ ...record, recoveryKey: deviceSplit.recoveryKey })
      const factor = await wrapFactor(setup, secrets.recoveryKey, core)
      return { factor, walletId: record.walletId }
    })
    await callVault(vault.call, addFactorRoute, body)
  })
