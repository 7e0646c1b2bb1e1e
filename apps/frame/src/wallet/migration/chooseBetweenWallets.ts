import { dropWalletRoute, isNewerRealm, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import { forgetPin } from '../readFacts.ts'
import { readWalletState } from '../readState.ts'
import { type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { deleteRecord, readRecord } from '../walletRecord.ts'
import { findMigrationPin, findTarget, pinRealm, writeMigrationPin } from './migrationPin.ts'

/**
 * Switches this browser to the wallet in `realm`: the old wallet, to send or to view its assets, or
 * its successor. The browser must already hold it. Throws `WALLET_NOT_ENROLLED`, also for a newer
 * wallet to which no move leads yet.
 */
export const chooseBetweenWallets = (
  vault: WalletVault,
  { realm }: { readonly realm: string },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const { userId, wallet } = await readWalletState(vault, realm)
    const pin = await findMigrationPin(vault.store, userId)
    const record = await readRecord(vault.store, { userId, realm })
    const isHeld = record?.current && wallet?.slot && wallet.id === record.walletId
    const isOpen = pin && (!isNewerRealm(realm, pin.realm) || findTarget(pin, realm))
    if (!isHeld || !isOpen) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    await writeMigrationPin(vault.store, userId, pinRealm(pin, realm))
    return record.addresses
  })

type Dropping = { readonly walletId: string; readonly realm: string }

/**
 * Deletes a wallet that is not in use, at the server and then here. `secondsLeft`: the wallet is
 * kept that long, because this browser does not hold it. Repeating it changes nothing. Throws
 * `WALLET_CHANGED` for a wallet in use, `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`.
 */
export const dropOther = (
  vault: WalletVault,
  { walletId, realm }: Dropping,
): Promise<{ secondsLeft: number }> =>
  withWalletLock(vault, async () => {
    const { userId, realm: own } = await readWalletState(vault)
    const used = await readRecord(vault.store, { userId, realm: own })
    if (realm === own || used?.walletId === walletId) throw new LatchkeyError('WALLET_CHANGED')
    const confirm = 'drop this wallet'
    const { secondsLeft } = await callVault(vault.call, dropWalletRoute, { walletId, confirm })
    if (secondsLeft > 0) return { secondsLeft }
    await forgetWallet(vault, userId, { walletId, realm })
    return { secondsLeft }
  })

async function forgetWallet(vault: WalletVault, userId: string, { walletId, realm }: Dropping) {
  const owner = { userId, realm }
  const record = await readRecord(vault.store, owner).catch(() => 'damaged' as const)
  if (record === 'damaged' || record?.walletId === walletId) await deleteRecord(vault.store, owner)
  await forgetPin(vault, walletId)
  const pin = await findMigrationPin(vault.store, userId)
  if (!pin) return
  const { fresh, used = [], ...rest } = pin
  const isKept = fresh !== undefined && fresh !== realm
  const kept = used.filter((one) => one.walletId !== walletId)
  await writeMigrationPin(vault.store, userId, { ...rest, ...(isKept && { fresh }), used: kept })
}
