import { LatchkeyError } from '@latchkey/wire'
import type { Db } from '../vault.ts'
import { findSlot, type WalletRow } from '../wallet/findWallet.ts'

/** The wallets of a user: the one in use and, if there is one, the other. No other transaction changes them until this one ends. */
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

type Holding = { readonly deviceId: string; readonly wallet: WalletRow }

/** Requires a device that holds this very wallet. Throws `WALLET_NOT_ENROLLED`. */
export async function requireHolderOf(db: Db, { deviceId, wallet }: Holding): Promise<void> {
  if (!(await findSlot(db, { walletId: wallet.id, slot: deviceId })))
    throw new LatchkeyError('WALLET_NOT_ENROLLED')
}

/**
 * Requires the newer of two wallets too. Whoever can only recover the older one, by e-mail with the operator's help, must not take
 * the newer one away. Throws `WALLET_NOT_ENROLLED`.
 */
export async function requireNewer(
  db: Db,
  parameters: {
    readonly deviceId: string
    readonly current: WalletRow
    readonly other: WalletRow | undefined
  },
): Promise<void> {
  const { deviceId, current, other } = parameters
  if (other && other.created_at >= current.created_at)
    await requireHolderOf(db, { deviceId, wallet: other })
}
