import { isNewerRealm, LatchkeyError } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import type { Db } from '../vault.ts'
import { findSlot, type WalletRow } from '../wallet/findWallet.ts'

/**
 * The wallets of a user: the one in use and, if there is one, the other. No other transaction
 * changes them until this one ends.
 */
export async function lockWallets(
  trx: Db,
  userId: string,
): Promise<{ readonly current?: WalletRow | undefined; readonly other?: WalletRow | undefined }> {
  const wallets = await trx
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const at = (place: WalletRow['place']) => wallets.find((wallet) => wallet.place === place)
  return { current: at('current'), other: at('other') }
}

type Holding = { readonly deviceId: string; readonly wallet: Pick<WalletRow, 'id'> }

/** Whether a device holds this very wallet. */
export const holdsWallet = async (db: Db, { deviceId, wallet }: Holding): Promise<boolean> =>
  (await findSlot(db, { walletId: wallet.id, slot: deviceId })) !== undefined

/** Whether any other device that is not revoked holds this very wallet. */
export async function isHeldElsewhere(db: Db, { deviceId, wallet }: Holding): Promise<boolean> {
  const row = await db
    .selectFrom('wallet_slots')
    .innerJoin('devices', (join) =>
      join.on('wallet_slots.slot', '=', (row) => row.cast('devices.id', 'text')),
    )
    .select('wallet_slots.slot')
    .where('wallet_slots.wallet_id', '=', wallet.id)
    .where('wallet_slots.slot', '!=', deviceId)
    .where('devices.revoked_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Requires a device that holds this very wallet. Throws `WALLET_NOT_ENROLLED`. */
export async function requireHolderOf(db: Db, holding: Holding): Promise<void> {
  if (!(await holdsWallet(db, holding))) throw new LatchkeyError('WALLET_NOT_ENROLLED')
}

/**
 * The wallets that a device may decide about: the wallets that it holds, and older ones. A user who
 * can only recover the older wallet, by email with the operator's help, must not be able to take
 * the newer one away.
 */
export async function readOwnWallets(
  trx: Db,
  { userId, deviceId }: Pick<StoredLogin, 'userId' | 'deviceId'>,
): Promise<WalletRow[]> {
  const { current, other } = await lockWallets(trx, userId)
  const wallets = [current, other].filter((wallet) => wallet !== undefined)
  const held: WalletRow[] = []
  for (const wallet of wallets) if (await holdsWallet(trx, { deviceId, wallet })) held.push(wallet)
  return wallets.filter((wallet) =>
    held.some((own) => own.id === wallet.id || isNewerRealm(own.realm, wallet.realm)),
  )
}
