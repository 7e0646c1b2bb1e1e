import { createHash } from 'node:crypto'
import { LatchkeyError, type WalletChange } from '@latchkey/wire'
import type { Session } from '../auth/session.ts'
import { requireStepUp } from '../auth/session.ts'
import { appendAudit } from './audit.ts'
import { readKey } from './hpkeSeal.ts'
import { takeTurn } from './limits.ts'
import { type ManifestFacts, readManifest } from './readManifest.ts'
import { findSlot, findWallet, type WalletRow } from './readWallet.ts'
import { storeFactor } from './storeFactor.ts'
import type { StoredChange } from './tables.ts'
import { ensureUserKey, sealFor, type UserKey } from './userKey.ts'
import { bytesOf, type Db, pendingMs, realm, textOf, type Vault } from './vault.ts'

/** A change and who may commit it. */
type Given = { readonly session: Session; readonly change: WalletChange }
type Prepared = { readonly changeId: string; readonly secondsLeft: number }

/**
 * Keeps a change until it is committed or 15 minutes are over; nothing else changes. The same change again is the same.
 * Throws `WALLET_EXISTS` when another device's creation is first, `WALLET_CHANGED` when it is not about the wallet as
 * it is now, `COMMIT_REFUSED` when it makes no sense.
 */
export async function prepareWallet(vault: Vault, given: Given): Promise<Prepared> {
  const { session, change } = given
  await takeTurn(vault, 'vault prepare', session.userId)
  await readKey(change.deviceKey)
  const facts = await readManifest(change.manifest)
  const wallet = await findWallet(vault.db, session.userId)
  const digest = createHash('sha256').update(JSON.stringify(change)).digest()
  const again = await findSame(vault, given, digest)
  if (again) return again
  checkFacts(given, facts)
  if (wallet) await checkChange(vault, given, { wallet, facts })
  else checkCreation(given, facts)
  const key = await ensureUserKey(vault, session.userId)
  const stored = await sealChange(vault, { key, change, facts })
  return keepChange(vault, {
    userId: session.userId,
    deviceId: session.deviceId,
    walletId: change.walletId,
    changeId: change.changeId,
    creates: wallet === undefined,
    digest,
    stored,
  })
}

async function findSame(
  { db, clock }: Vault,
  { session, change }: Given,
  digest: Buffer,
): Promise<Prepared | undefined> {
  const row = await db
    .selectFrom('wallet_changes')
    .select(['user_id', 'device_id', 'digest', 'expires_at'])
    .where('id', '=', change.changeId)
    .executeTakeFirst()
  if (!row) return undefined
  const secondsLeft = Math.ceil((row.expires_at.getTime() - clock()) / 1000)
  const same =
    row.user_id === session.userId &&
    row.device_id === session.deviceId &&
    Buffer.compare(row.digest, digest) === 0 &&
    secondsLeft > 0
  if (!same) throw new LatchkeyError('WALLET_CHANGED')
  return { changeId: change.changeId, secondsLeft }
}

function checkFacts({ session, change }: Given, facts: ManifestFacts): void {
  const own = facts.devices.find(({ id }) => id === session.deviceId)
  const honest =
    facts.walletId === change.walletId &&
    facts.userId === session.userId &&
    facts.realm === realm &&
    facts.epoch === change.epoch &&
    own?.key === change.deviceKey
  const names = new Set(change.slots.map(({ slot }) => slot))
  if (!honest || names.size !== change.slots.length) throw new LatchkeyError('COMMIT_REFUSED')
}

function checkCreation({ session, change }: Given, facts: ManifestFacts): void {
  const { seal, slots, factors = [] } = change
  const names = slots.map(({ slot }) => slot).sort()
  const expected = [session.deviceId, 'recovery'].sort()
  const whole =
    seal !== undefined &&
    sameSeal(seal, facts) &&
    change.epoch === 1 &&
    facts.version === 1 &&
    names.join() === expected.join()
  if (!whole) throw new LatchkeyError('COMMIT_REFUSED')
  if (factors.length === 0) throw new LatchkeyError('LAST_FACTOR')
}

const sameSeal = (seal: NonNullable<WalletChange['seal']>, facts: ManifestFacts): boolean =>
  seal.addresses.eip155 === facts.addresses.eip155 &&
  seal.addresses.solana === facts.addresses.solana &&
  seal.recoveryKey === facts.recoveryKey

type Against = { readonly wallet: WalletRow; readonly facts: ManifestFacts }

async function checkChange(vault: Vault, { session, change }: Given, against: Against) {
  const { wallet, facts } = against
  const { seal, slots, factors } = change
  if (change.walletId !== wallet.id) throw new LatchkeyError('WALLET_EXISTS')
  const sameWallet =
    facts.addresses.eip155 === wallet.eip155 && facts.addresses.solana === wallet.solana
  if (!sameWallet) throw new LatchkeyError('COMMIT_REFUSED')
  checkVersion(against, seal ? wallet.epoch + 1 : wallet.epoch)
  const names = slots.map(({ slot }) => slot)
  if (!seal) {
    const alone = names.length === 1 && names[0] === session.deviceId && factors === undefined
    if (!alone || facts.recoveryKey !== wallet.recovery_key)
      throw new LatchkeyError('COMMIT_REFUSED')
    return
  }
  if (factors) requireStepUp(session)
  const held = await findSlot(vault.db, { walletId: wallet.id, slot: session.deviceId })
  const keepsRecovery = factors ? factors.length > 0 : seal.recoveryKey === wallet.recovery_key
  const whole =
    held !== undefined &&
    keepsRecovery &&
    sameSeal(seal, facts) &&
    names.includes(session.deviceId) &&
    names.includes('recovery')
  if (!whole) throw new LatchkeyError('COMMIT_REFUSED')
}

function checkVersion({ wallet, facts }: Against, epoch: number): void {
  if (facts.epoch !== epoch || facts.version !== wallet.manifest_version + 1)
    throw new LatchkeyError('WALLET_CHANGED')
}

/** What an approving device prepares for a new one; `deviceKey` is the new one's. */
export async function prepareForDevice(
  vault: Vault,
  given: {
    readonly session: Session
    readonly deviceId: string
    readonly change: WalletChange
  },
): Promise<void> {
  const { session, deviceId, change } = given
  const wallet = await findWallet(vault.db, session.userId)
  const held = wallet && (await findSlot(vault.db, { walletId: wallet.id, slot: session.deviceId }))
  if (!wallet || !held) throw new LatchkeyError('VAULT_NOT_FOUND')
  const facts = await readManifest(change.manifest)
  const [slot] = change.slots
  const forIt = { session: { ...session, deviceId }, change }
  checkFacts(forIt, facts)
  await checkChange(vault, forIt, { wallet, facts })
  if (!slot?.sealedDeviceShare || change.seal) throw new LatchkeyError('COMMIT_REFUSED')
  const key = await ensureUserKey(vault, session.userId)
  const stored = await sealChange(vault, { key, change, facts })
  const digest = createHash('sha256').update(JSON.stringify(change)).digest()
  await keepChange(vault, {
    userId: session.userId,
    deviceId,
    walletId: wallet.id,
    changeId: change.changeId,
    creates: false,
    digest,
    stored,
  })
}

type Sealing = {
  readonly key: UserKey
  readonly change: WalletChange
  readonly facts: ManifestFacts
}

async function sealChange(vault: Vault, { key, change, facts }: Sealing): Promise<StoredChange> {
  const { walletId, changeId, epoch, seal, factors } = change
  return {
    epoch,
    manifestVersion: facts.version,
    deviceKey: change.deviceKey,
    addresses: facts.addresses,
    manifest: change.manifest,
    ...(seal && { seal: { recoveryKey: seal.recoveryKey, sealedSeed: seal.sealedSeed } }),
    slots: change.slots.map(({ slot, share, sealedRecoveryShare, sealedDeviceShare }) => ({
      slot,
      shareSealed: textOf(
        sealFor(key, bytesOf(share), sharePlace({ walletId, slot, changeId, epoch })),
      ),
      sealedRecoveryShare,
      ...(sealedDeviceShare && { sealedDeviceShare }),
    })),
    ...(factors && {
      factors: await Promise.all(
        factors.map((factor) => storeFactor(vault, { key, walletId }, factor)),
      ),
    }),
  }
}

/** Where a share belongs: it opens in no other row. */
export const sharePlace = (at: {
  readonly walletId: string
  readonly slot: string
  readonly changeId: string
  readonly epoch: number
}) => ['share', at.walletId, at.slot, at.changeId, at.epoch] as const

type Keeping = {
  readonly userId: string
  readonly deviceId: string
  readonly walletId: string
  readonly changeId: string
  readonly creates: boolean
  readonly digest: Buffer
  readonly stored: StoredChange
}

async function keepChange(vault: Vault, keeping: Keeping): Promise<Prepared> {
  const { userId, deviceId, walletId, changeId, creates, digest, stored } = keeping
  const nowMs = vault.clock()
  await vault.db.transaction().execute(async (trx) => {
    if (creates) await clearCreation(trx, keeping, nowMs)
    const kept = await trx
      .insertInto('wallet_changes')
      .values({
        id: changeId,
        wallet_id: walletId,
        user_id: userId,
        realm,
        device_id: deviceId,
        creates,
        digest,
        body: JSON.stringify(stored),
        created_at: new Date(nowMs),
        expires_at: new Date(nowMs + pendingMs),
        committed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (kept.numInsertedOrUpdatedRows !== 1n)
      throw new LatchkeyError(creates ? 'WALLET_EXISTS' : 'WALLET_CHANGED')
    const action = creates ? 'wallet creation prepared' : 'wallet change prepared'
    await appendAudit(trx, vault, { subject: userId, deviceId, action, detail: { changeId } })
  })
  return { changeId, secondsLeft: pendingMs / 1000 }
}

/** A creation that is over, or that this very device has begun before and never shown, makes room. */
async function clearCreation(trx: Db, { userId, deviceId }: Keeping, nowMs: number): Promise<void> {
  await trx
    .deleteFrom('wallet_changes')
    .where('user_id', '=', userId)
    .where('realm', '=', realm)
    .where('creates', '=', true)
    .where((row) =>
      row.or([row('expires_at', '<=', new Date(nowMs)), row('device_id', '=', deviceId)]),
    )
    .execute()
}
