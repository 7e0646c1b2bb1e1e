import type { VaultState, WalletView } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { readMoves } from '../moves/readMoves.ts'
import { type Db, mainRealm, type Vault } from '../vault.ts'
import { findSlot, findWallet, type WalletRow } from './findWallet.ts'
import { findMissingDevices } from './missingDevices.ts'

type Reading = {
  readonly session: StoredLogin
  /** Defaults to the wallet in use. */
  readonly realm?: string | undefined
  readonly withGone?: boolean | undefined
  readonly withMoves?: boolean | undefined
  readonly withType?: boolean | undefined
}

/**
 * A wallet of the session's user with everything the calling device needs, or a creation in
 * progress, or nothing.
 */
export async function readWallet(vault: Vault, reading: Reading): Promise<VaultState> {
  // One snapshot: with a move in between, a wallet would appear twice, or not at all.
  return vault.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => readState(vault, trx, reading))
}

async function readState(
  vault: Vault,
  db: Db,
  { session, realm: asked, withGone, withMoves, withType }: Reading,
): Promise<VaultState> {
  const { userId, deviceId, jkt } = session
  const wallet = await findWallet(db, userId, asked)
  const realm = wallet?.realm ?? asked ?? mainRealm
  const moves = withMoves && (await readMoves(db, { userId, deviceId, realm }))
  const base = { userId, realm, deviceId, deviceThumb: jkt, ...moves }
  if (wallet) {
    const missing = withGone ? await findMissingDevices(db, wallet) : []
    const view = await readWalletView(db, { wallet, deviceId })
    const accountType = (withType && wallet.account_type) || undefined
    const more = {
      ...(missing.length > 0 && { gone: missing }),
      ...(accountType && { accountType }),
    }
    return { ...base, wallet: { ...view, ...more } }
  }
  const nowMs = vault.clock()
  const pending = await db
    .selectFrom('wallet_changes')
    .select(['id', 'device_id', 'expires_at'])
    .where('user_id', '=', userId)
    .where('realm', '=', realm)
    .where('creates', '=', true)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  if (!pending) return base
  const { id: changeId, device_id, expires_at } = pending
  const secondsLeft = Math.ceil((expires_at.getTime() - nowMs) / 1000)
  return { ...base, pending: { changeId, ours: device_id === deviceId, secondsLeft } }
}

async function readWalletView(
  db: Db,
  { wallet, deviceId }: { readonly wallet: WalletRow; readonly deviceId: string },
): Promise<WalletView> {
  const factors = await db
    .selectFrom('recovery_factors')
    .select(['id', 'kind', 'wrap', 'credential_id', 'label'])
    .where('wallet_id', '=', wallet.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const slot = await findSlot(db, { walletId: wallet.id, slot: deviceId })
  const heldAt = slot || factors.length > 0 ? undefined : await findHolderOrigin(db, wallet)
  return {
    id: wallet.id,
    epoch: wallet.epoch,
    addresses: { eip155: wallet.eip155, solana: wallet.solana },
    recoveryKey: wallet.recovery_key,
    manifest: { text: wallet.manifest, signature: wallet.manifest_signature },
    sealedSeed: wallet.sealed_seed,
    tier: factors.some(({ kind }) => kind === 'operator') ? 'assisted' : 'self-held',
    factors: factors.map(({ id, kind, wrap, credential_id, label }) => ({
      id,
      kind,
      ...(wrap && { wrap }),
      ...(credential_id !== null && { credentialId: credential_id }),
      ...(label !== null && { label }),
    })),
    ...(heldAt !== undefined && { heldAt }),
    ...(slot && {
      slot: {
        changeId: slot.change_id,
        epoch: slot.epoch,
        sealedRecoveryShare: slot.sealed_recovery,
        ...(slot.sealed_device && { sealedDeviceShare: slot.sealed_device }),
      },
    }),
  }
}

/** The origin of the page on which the first device that holds the wallet signed in. */
async function findHolderOrigin(
  db: Db,
  { id }: Pick<WalletRow, 'id'>,
): Promise<string | undefined> {
  const holder = await db
    .selectFrom('wallet_slots')
    .innerJoin('devices', (join) =>
      join.on('wallet_slots.slot', '=', (row) => row.cast('devices.id', 'text')),
    )
    .select('devices.origin')
    .where('wallet_slots.wallet_id', '=', id)
    .where('devices.revoked_at', 'is', null)
    .orderBy('devices.created_at')
    .executeTakeFirst()
  return holder?.origin
}
