import { isNewerRealm, LatchkeyError, nextRealm } from '@latchkey/wire'
import { makeWallet } from '../createWallet.ts'
import { getWalletCore } from '../manifest.ts'
import { readWalletState } from '../readState.ts'
import { isAmong } from '../recovery/factors.ts'
import { type WalletVault, withWalletLock } from '../vault.ts'
import { deleteRecord, findRecord, type WalletRecord } from '../walletRecord.ts'
import { writeMigrationPin } from './migrationPin.ts'
import { readWalletPair } from './readWalletPair.ts'

/**
 * Creates the wallet to move to, in addition to the wallet in use. Nothing else changes, and its
 * addresses stay hidden until its kit was tried. An interrupted creation is never finished with an
 * earlier kit: an uncommitted wallet is created again with this kit, and a committed wallet counts
 * only if this kit opens it. Throws `WALLET_EXISTS` if there is a second wallet that the kit does
 * not open, `WALLET_NOT_ENROLLED` if this browser does not hold the wallet in use, `INVALID_PARAMS`
 * if the browser stores nothing, `STEP_UP_NEEDED`.
 */
export const createReplacementWallet = (
  vault: WalletVault,
  { kit }: { readonly kit: string },
): Promise<void> =>
  withWalletLock(vault, async () => {
    if (!vault.store.durable)
      throw new LatchkeyError('INVALID_PARAMS', {
        data: { reason: 'this browser stores nothing, so it cannot hold two wallets' },
      })
    const { state, pin, record, other } = await readWalletPair(vault)
    const { userId } = state
    if (other) {
      const isOwn = other.isNewer && other.record && (await isOpenedBy(vault, other.record, kit))
      if (!isOwn) throw new LatchkeyError('WALLET_EXISTS')
      return
    }
    let newest = record.realm
    if (pin.fresh !== undefined && pin.fresh !== record.realm) {
      // It was not committed, so its addresses were never shown.
      const planned = await findRecord(vault.store, { userId, realm: pin.fresh })
      if (planned && !planned.current) await deleteRecord(vault.store, { userId, realm: pin.fresh })
      if (isNewerRealm(pin.fresh, newest)) newest = pin.fresh
    }
    const realm = nextRealm(newest, Date.now())
    await writeMigrationPin(vault.store, userId, { ...pin, fresh: realm })
    await makeWallet(vault, { who: { ...state, realm }, factors: [{ kind: 'kit', kit }] })
  })

async function isOpenedBy(vault: WalletVault, record: WalletRecord, kit: string): Promise<boolean> {
  const { wallet } = await readWalletState(vault, record.realm)
  const core = getWalletCore({ ...record, recoveryKey: record.current?.recoveryKey ?? '' })
  return isAmong({ kind: 'kit', kit }, wallet?.factors ?? [], core)
}
