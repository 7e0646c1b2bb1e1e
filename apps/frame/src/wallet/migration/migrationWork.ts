import { type WalletVault, withWalletLock } from '../vault.ts'
import type { KeyWork, WorkResult } from '../worker/messages.ts'
import { chooseBetweenWallets, dropOther } from './chooseBetweenWallets.ts'
import { createReplacementWallet } from './createReplacementWallet.ts'
import { migrateToNewer } from './migrateWallet.ts'
import { readWalletPair } from './readWalletPair.ts'

type MigrationWork = KeyWork<
  'readWallets' | 'createReplacement' | 'migrate' | 'chooseWallet' | 'dropOther'
>

/** The tasks of a move to another wallet. */
export const migrationWork = (vault: WalletVault): MigrationWork => ({
  readWallets: () => withWalletLock(vault, () => readWallets(vault)),
  async createReplacement({ kit }) {
    await createReplacementWallet(vault, { kit })
    return {}
  },
  migrate: async ({ kit }) => ({ addresses: await migrateToNewer(vault, { kit }) }),
  chooseWallet: async ({ realm }) => ({ addresses: await chooseBetweenWallets(vault, { realm }) }),
  dropOther: (parameters) => dropOther(vault, parameters),
})

/**
 * Hides the addresses of a newer wallet until its kit was tried and the move is signed: no one can
 * send to it too early.
 */
async function readWallets(vault: WalletVault): Promise<WorkResult<'readWallets'>> {
  const { durable } = vault.store
  const { record, other, move } = await readWalletPair(vault)
  const { walletId, realm, addresses } = record
  const inUse = { walletId, realm, addresses }
  const isMoved = move !== undefined
  if (!other) return { durable, isMoved, inUse }
  const { isNewer, record: held, dropAtMs } = other
  return {
    durable,
    isMoved,
    inUse,
    other: {
      walletId: other.walletId,
      realm: other.realm,
      isNewer,
      isHeld: held !== undefined,
      ...(held && (isMoved || !isNewer) && { addresses: held.addresses }),
      ...(dropAtMs !== undefined && { dropAtMs }),
    },
  }
}
