import { LatchkeyError, type listDevicesRoute, type Manifest } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { StoredLogin } from '../../auth/session/session.ts'
import { appendAudit } from '../audit.ts'
import { readOwnWallets } from '../moves/lockWallets.ts'
import type { Db, Vault } from '../vault.ts'
import { requireHolder } from '../wallet/requireHolder.ts'
import { replaceDevices } from './signDevices.ts'

type Nothing = Record<string, never>

/**
 * The user's devices that hold the wallet in use or the other one: a device that only holds a
 * wallet that was left can be removed too. The calling device comes first.
 */
export async function readDevices(
  { db }: Vault,
  { userId, deviceId }: StoredLogin,
): Promise<z.infer<typeof listDevicesRoute.result>> {
  const rows = await db
    .selectFrom('wallet_slots')
    .innerJoin('wallets', 'wallets.id', 'wallet_slots.wallet_id')
    .innerJoin('devices', (join) =>
      join.on('wallet_slots.slot', '=', (row) => row.cast('devices.id', 'text')),
    )
    .select([
      'devices.id',
      'devices.name',
      'wallet_slots.device_key',
      'wallet_slots.created_at',
      'wallet_slots.used_at',
    ])
    .where('wallets.user_id', '=', userId)
    .where('devices.user_id', '=', userId)
    .where('devices.revoked_at', 'is', null)
    .orderBy('wallet_slots.used_at')
    .execute()
  // If a device holds both wallets, the last use of either counts.
  const byId = new Map(rows.map((row) => [row.id, row]))
  const devices = [...byId.values()].map((row) => ({
    id: row.id,
    name: row.name,
    current: row.id === deviceId,
    deviceKey: row.device_key ?? '',
    addedAtMs: row.created_at.getTime(),
    lastUsedAtMs: row.used_at.getTime(),
  }))
  return {
    devices: devices.sort(
      (a, b) => Number(b.current) - Number(a.current) || b.lastUsedAtMs - a.lastUsedAtMs,
    ),
  }
}

type Naming = { readonly session: StoredLogin; readonly id: string; readonly name: string }

/**
 * Only a device that holds the wallet may set names. Otherwise access to the mailbox would be
 * enough to name a thief's browser "My phone". Throws `WALLET_NOT_ENROLLED`, and `VAULT_NOT_FOUND`
 * if the device belongs to another user.
 */
export async function renameDevice(vault: Vault, { session, id, name }: Naming): Promise<Nothing> {
  await requireHolder(vault, session)
  const renamed = await vault.db
    .updateTable('devices')
    .set({ name: name.replace(/\p{C}/gu, ' ').trim() || 'Unnamed' })
    .where('user_id', '=', session.userId)
    .where((row) => row(row.cast<string>('id', 'text'), '=', id))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (renamed.numUpdatedRows !== 1n) throw new LatchkeyError('VAULT_NOT_FOUND')
  return {}
}

/**
 * Revokes a device: deletes its sessions and its enrollment at once, and its shares of the wallets
 * that the caller holds and of older ones. A share of a newer wallet stays, without a session. Only
 * a device that holds the wallet may revoke another device. Otherwise access to the mailbox would
 * be enough to remove every device that delays a recovery. With `manifest` the device also leaves
 * the signed list; without it, a device that holds the wallet signs a new list when it next opens
 * the wallet. Throws `VAULT_NOT_FOUND`, `WALLET_NOT_ENROLLED`, and `WALLET_CHANGED` and
 * `COMMIT_REFUSED` for the manifest.
 */
export async function revokeDevice(
  vault: Vault,
  {
    session,
    id,
    manifest,
  }: {
    readonly session: StoredLogin
    readonly id: string
    readonly manifest?: Manifest | undefined
  },
): Promise<Nothing> {
  const { userId, deviceId } = session
  if (id !== deviceId || manifest) await requireHolder(vault, session)
  const now = new Date(vault.clock())
  await vault.db.transaction().execute(async (trx) => {
    const revoked = await trx
      .updateTable('devices')
      .set({ revoked_at: now })
      .where('user_id', '=', userId)
      .where((row) => row(row.cast<string>('id', 'text'), '=', id))
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (revoked.numUpdatedRows !== 1n) throw new LatchkeyError('VAULT_NOT_FOUND')
    // A browser may always give up its own splits.
    const own = id === deviceId ? undefined : await readOwnWallets(trx, { userId, deviceId })
    await dropDevice(trx, { userId, id, now, walletIds: own?.map((wallet) => wallet.id) })
    if (manifest) await replaceDevices(trx, { session, manifest })
    const detail = { device: id }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'device revoked', detail })
  })
  return {}
}

type Dropping = {
  readonly userId: string
  readonly id: string
  readonly now: Date
  /** The wallets whose splits are deleted; by default the splits of all wallets. */
  readonly walletIds: readonly string[] | undefined
}

async function dropDevice(trx: Db, { userId, id, now, walletIds }: Dropping): Promise<void> {
  const wallets = trx.selectFrom('wallets').select('id').where('user_id', '=', userId)
  await trx
    .deleteFrom('wallet_slots')
    .where('slot', '=', id)
    .where('wallet_id', 'in', wallets)
    .$if(walletIds !== undefined, (rows) => rows.where('wallet_id', 'in', walletIds ?? []))
    .execute()
  await trx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('device_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  // Keep its recoveries: a stopped recovery still blocks others, and an open recovery cannot be
  // used by a revoked device.
  for (const table of ['known_devices', 'wallet_changes', 'enrollments'] as const)
    await trx.deleteFrom(table).where('device_id', '=', id).execute()
}
