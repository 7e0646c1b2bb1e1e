import { isNewerRealm, LatchkeyError, type listOperatorRecoveriesRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { appendAudit } from '../audit.ts'
import type { Db, Vault } from '../vault.ts'
import { hashSecret, openForMs } from './operatorRecovery.ts'

type Nothing = Record<string, never>

/**
 * The wallets that the browser with this key holds, and the user's older wallets, which it may
 * decide about too. The key is enough proof: no session is needed, so an attacker cannot lock the
 * browser out.
 */
async function findOwnWallets(db: Db, jkt: string) {
  const held = await db
    .selectFrom('devices')
    .innerJoin('wallets', 'wallets.user_id', 'devices.user_id')
    .innerJoin('wallet_slots', (join) =>
      join
        .onRef('wallet_slots.wallet_id', '=', 'wallets.id')
        .on('wallet_slots.slot', '=', (row) => row.cast('devices.id', 'text')),
    )
    .select(['wallets.realm', 'wallets.user_id', 'devices.id as device_id'])
    .where('devices.jkt', '=', jkt)
    .where('devices.revoked_at', 'is', null)
    .execute()
  if (held.length === 0) return []
  const userIds = held.map(({ user_id }) => user_id)
  const wallets = await db
    .selectFrom('wallets')
    .select(['id', 'user_id', 'realm'])
    .where('user_id', 'in', userIds)
    .execute()
  return wallets.flatMap(({ id, user_id, realm }) => {
    const by = held.find((own) => own.user_id === user_id && !isNewerRealm(realm, own.realm))
    return by ? [{ id, user_id, device_id: by.device_id }] : []
  })
}

/**
 * The operator recoveries that other devices requested for wallets of this browser. The recovery
 * that opens first comes first.
 */
export async function readOperatorRecoveries(
  vault: Vault,
  { jkt }: { readonly jkt: string },
): Promise<z.infer<typeof listOperatorRecoveriesRoute.result>> {
  const wallets = await findOwnWallets(vault.db, jkt)
  if (wallets.length === 0) return { recoveries: [] }
  const rows = await vault.db
    .selectFrom('operator_recoveries')
    .innerJoin('devices', 'devices.id', 'operator_recoveries.device_id')
    // Devices choose their names: an attacker's device could be called "My phone".
    .select(['operator_recoveries.id', 'devices.browser', 'operator_recoveries.ready_at'])
    .where(
      'operator_recoveries.wallet_id',
      'in',
      wallets.map(({ id }) => id),
    )
    .where('devices.jkt', '!=', jkt)
    .where('devices.revoked_at', 'is', null)
    .where('operator_recoveries.cancelled_at', 'is', null)
    .where('operator_recoveries.released_at', 'is', null)
    .where('operator_recoveries.created_at', '>', new Date(vault.clock() - openForMs))
    .orderBy('operator_recoveries.ready_at')
    .limit(50)
    .execute()
  return {
    recoveries: rows.map(({ id, browser, ready_at }) => ({
      id,
      name: browser,
      readyAtMs: ready_at.getTime(),
    })),
  }
}

/**
 * Cancels recoveries from a browser that holds the wallet or a newer one, by its key alone. `id`
 * names a recovery of the wallet in question; older frames send none, which means every wallet of
 * this browser. Throws `WALLET_NOT_ENROLLED`, `VAULT_NOT_FOUND`.
 */
export async function stopByDevice(
  vault: Vault,
  { jkt, id }: { readonly jkt: string; readonly id?: string | undefined },
): Promise<Nothing> {
  const wallets = await findOwnWallets(vault.db, jkt)
  if (wallets.length === 0) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  const recovery =
    id === undefined ? undefined : await findRecovery(vault.db, { column: 'id', is: id })
  const meant = wallets.filter((wallet) => id === undefined || wallet.id === recovery?.wallet_id)
  if (meant.length === 0) throw new LatchkeyError('VAULT_NOT_FOUND')
  for (const { id: walletId, user_id: userId, device_id: deviceId } of meant)
    await stopAll(vault, { walletId, userId, deviceId })
  return {}
}

/**
 * Cancels a recovery by the link in the mail. Throws `VAULT_NOT_FOUND`, also if it was canceled
 * before.
 */
export async function stopByLink(vault: Vault, secret: string): Promise<Nothing> {
  const recovery = await findRecovery(vault.db, { column: 'cancel_hash', is: hashSecret(secret) })
  if (!recovery || recovery.cancelled_at !== null) throw new LatchkeyError('VAULT_NOT_FOUND')
  await stopAll(vault, { walletId: recovery.wallet_id, userId: recovery.user_id })
  return {}
}

type Finding =
  | { readonly column: 'id'; readonly is: string }
  | { readonly column: 'cancel_hash'; readonly is: Uint8Array }

const findRecovery = (db: Db, { column, is }: Finding) =>
  db
    .selectFrom('operator_recoveries')
    .select(['wallet_id', 'user_id', 'cancelled_at'])
    .where(column, '=', is)
    .executeTakeFirst()

type Stopping = {
  readonly walletId: string
  readonly userId: string
  readonly deviceId?: string | undefined
}

/** Cancels every recovery of a wallet, so that none continues in another browser. */
async function stopAll(vault: Vault, { walletId, userId, deviceId }: Stopping): Promise<void> {
  await vault.db.transaction().execute(async (trx) => {
    await trx.selectFrom('wallets').select('id').where('id', '=', walletId).forUpdate().execute()
    const stopped = await trx
      .updateTable('operator_recoveries')
      .set({ cancelled_at: new Date(vault.clock()) })
      .where('wallet_id', '=', walletId)
      .where('cancelled_at', 'is', null)
      .executeTakeFirst()
    if (stopped.numUpdatedRows === 0n) return
    const action = 'operator recovery cancelled'
    await appendAudit(trx, vault, { subject: userId, deviceId, action })
  })
}
