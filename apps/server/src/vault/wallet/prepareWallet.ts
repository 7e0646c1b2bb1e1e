import { createHash } from 'node:crypto'
import { isNewerRealm, LatchkeyError, type WalletChange, walletRealm } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { requireStepUp } from '../../auth/session/stepUp.ts'
import { recoveryLaterOrigins } from '../../projects/ownOrigins.ts'
import { parsePublicKey } from '../keys/hpkeSeal.ts'
import { ensureUserKey } from '../keys/userKey.ts'
import { takeVaultTurn } from '../limits.ts'
import { lockWallets, requireHolderOf } from '../moves/lockWallets.ts'
import { requireMailbox } from '../recovery/storeFactor.ts'
import { type Db, mainRealm, type Vault } from '../vault.ts'
import { findSlot, findWallet, type WalletRow } from './findWallet.ts'
import { findMissingDevices, isSubset } from './missingDevices.ts'
import { type ManifestFacts, readManifest } from './readManifest.ts'
import { type PendingChange, sealChange, storeChange } from './storeChange.ts'

/** A change, and the device that may commit it. */
type ChangeRequest = { readonly session: StoredLogin; readonly change: WalletChange }

/**
 * Stores a change until it is committed or 15 minutes have passed; nothing else changes. Repeating
 * the call changes nothing. A user with a wallet creates a second one in a newer realm, in a
 * browser that holds the wallet in use, after a step-up `fresh wallet`. Throws `WALLET_EXISTS` if
 * another device's creation came first, or if there are two wallets; `WALLET_CHANGED` if the change
 * is based on an older state of the wallet or on a wallet that was left; `COMMIT_REFUSED` if it is
 * inconsistent; `LAST_FACTOR` if the wallet has to have a way of recovery; `STEP_UP_NEEDED`;
 * `WALLET_NOT_ENROLLED`; and `INVALID_PARAMS` for the operator's help without a mailbox.
 */
export async function prepareWallet(
  vault: Vault,
  parameters: ChangeRequest,
): Promise<PendingChange> {
  const { session, change } = parameters
  await takeVaultTurn(vault, 'vault prepare', session)
  requireMailbox(session, change.factors ?? [])
  await parsePublicKey(change.deviceKey)
  const facts = await readManifest(change.manifest)
  const wallet = await findWallet(vault.db, session.userId, facts.realm)
  const digest = createHash('sha256').update(JSON.stringify(change)).digest()
  const again = await findSameChange(vault, parameters, digest)
  if (again) return again
  checkFacts(parameters, facts)
  if (wallet) await checkChange(vault, parameters, { wallet, facts })
  else {
    checkCreation(parameters, facts)
    const isFirst = await isFirstWallet(vault.db, { userId: session.userId, facts })
    requireRecovery(vault, { isFirst, change })
    if (!isFirst) await checkSecond(vault, parameters)
  }
  const key = await ensureUserKey(vault, session.userId)
  const stored = await sealChange(vault, { key, change, facts })
  return storeChange(vault, {
    userId: session.userId,
    deviceId: session.deviceId,
    realm: facts.realm,
    walletId: change.walletId,
    changeId: change.changeId,
    creates: wallet === undefined,
    digest,
    stored,
  })
}

async function findSameChange(
  { db, clock }: Vault,
  { session, change }: ChangeRequest,
  digest: Buffer,
): Promise<PendingChange | undefined> {
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

function checkFacts({ session, change }: ChangeRequest, facts: ManifestFacts): void {
  const own = facts.devices.find(({ id }) => id === session.deviceId)
  const honest =
    facts.walletId === change.walletId &&
    facts.userId === session.userId &&
    facts.epoch === change.epoch &&
    own?.key === change.deviceKey
  const names = new Set(change.slots.map(({ slot }) => slot))
  if (!honest || names.size !== change.slots.length) throw new LatchkeyError('COMMIT_REFUSED')
}

type Creating = {
  readonly userId: string
  readonly facts: Pick<ManifestFacts, 'realm' | 'addresses'>
}

/**
 * Whether a creation makes the user's first wallet, which is in the main realm. A second wallet has
 * another key and is newer, and a third is not possible. Call it again when it is committed. Throws
 * `WALLET_EXISTS`, `COMMIT_REFUSED`.
 */
export async function isFirstWallet(db: Db, { userId, facts }: Creating): Promise<boolean> {
  const { realm, addresses } = facts
  const { current, other } = await lockWallets(db, userId)
  if (!current) {
    if (realm !== mainRealm) throw new LatchkeyError('COMMIT_REFUSED')
    return true
  }
  if (other || !walletRealm.safeParse(realm).success || !isNewerRealm(realm, current.realm))
    throw new LatchkeyError('WALLET_EXISTS')
  if (addresses.eip155 === current.eip155 || addresses.solana === current.solana)
    throw new LatchkeyError('COMMIT_REFUSED')
  return false
}

/**
 * The second wallet exists to get away from the operator and from anyone who has a copy, so the
 * operator does not recover it.
 */
async function checkSecond(vault: Vault, { session, change }: ChangeRequest): Promise<void> {
  const { current } = await lockWallets(vault.db, session.userId)
  if (!current) throw new LatchkeyError('WALLET_CHANGED')
  await requireHolderOf(vault.db, { deviceId: session.deviceId, wallet: current })
  if (change.factors?.some(({ kind }) => kind === 'operator'))
    throw new LatchkeyError('COMMIT_REFUSED')
  await requireStepUp(vault, session, 'fresh wallet')
}

function checkCreation({ session, change }: ChangeRequest, facts: ManifestFacts): void {
  const { seal, slots } = change
  const names = slots.map(({ slot }) => slot).sort()
  const expected = [session.deviceId, 'recovery'].sort()
  const whole =
    seal !== undefined &&
    sameSeal(seal, facts) &&
    change.epoch === 1 &&
    facts.version === 1 &&
    names.join() === expected.join()
  if (!whole) throw new LatchkeyError('COMMIT_REFUSED')
}

/**
 * A first wallet may be made before recovery is set up, unless the operator requires recovery first
 * on every page. A second wallet always has a kit.
 */
function requireRecovery(
  { config }: Vault,
  { isFirst, change }: { readonly isFirst: boolean; readonly change: WalletChange },
): void {
  const mayWait = isFirst && recoveryLaterOrigins(config).length > 0
  const hasFactor = change.factors !== undefined && change.factors.length > 0
  if (!hasFactor && !mayWait) throw new LatchkeyError('LAST_FACTOR')
}

const sameSeal = (seal: NonNullable<WalletChange['seal']>, facts: ManifestFacts): boolean =>
  seal.addresses.eip155 === facts.addresses.eip155 &&
  seal.addresses.solana === facts.addresses.solana &&
  seal.recoveryKey === facts.recoveryKey

type Against = { readonly wallet: WalletRow; readonly facts: ManifestFacts }

async function checkChange(vault: Vault, { session, change }: ChangeRequest, against: Against) {
  const { wallet, facts } = against
  const { seal, slots, factors, accountType } = change
  if (change.walletId !== wallet.id || facts.realm !== wallet.realm)
    throw new LatchkeyError('WALLET_EXISTS')
  const sameWallet =
    facts.addresses.eip155 === wallet.eip155 && facts.addresses.solana === wallet.solana
  if (!sameWallet || accountType) throw new LatchkeyError('COMMIT_REFUSED')
  checkVersion(against, seal ? wallet.epoch + 1 : wallet.epoch)
  if (!isSubset(facts, wallet, session.deviceId)) throw new LatchkeyError('COMMIT_REFUSED')
  const names = slots.map(({ slot }) => slot)
  if (!seal) {
    const alone = names.length === 1 && names[0] === session.deviceId && factors === undefined
    if (!alone || facts.recoveryKey !== wallet.recovery_key)
      throw new LatchkeyError('COMMIT_REFUSED')
    return
  }
  await checkSplits(vault, { wallet, facts }, names)
  if (factors) {
    // The code names the wallet in use.
    if (wallet.place !== 'current') throw new LatchkeyError('WALLET_CHANGED')
    await requireStepUp(vault, session, 'new key')
  }
  const ownSlot = await findSlot(vault.db, { walletId: wallet.id, slot: session.deviceId })
  const keepsRecovery = factors ? factors.length > 0 : seal.recoveryKey === wallet.recovery_key
  const whole =
    ownSlot !== undefined &&
    keepsRecovery &&
    sameSeal(seal, facts) &&
    names.includes(session.deviceId) &&
    names.includes('recovery')
  if (!whole) throw new LatchkeyError('COMMIT_REFUSED')
}

/**
 * A new key is split only for devices that are in the owner's signed list and hold the wallet now.
 */
async function checkSplits(vault: Vault, { wallet, facts }: Against, names: readonly string[]) {
  const signed = new Set(facts.devices.map(({ id }) => id))
  if (names.some((name) => name !== 'recovery' && !signed.has(name)))
    throw new LatchkeyError('COMMIT_REFUSED')
  const missing = await findMissingDevices(vault.db, wallet)
  if (missing.some((id) => signed.has(id))) throw new LatchkeyError('WALLET_CHANGED')
}

function checkVersion({ wallet, facts }: Against, epoch: number): void {
  if (facts.epoch !== epoch || facts.version !== wallet.manifest_version + 1)
    throw new LatchkeyError('WALLET_CHANGED')
}

/**
 * The change to the wallet in `realm` that an approving device prepares for a new device.
 * `deviceKey` is the key of the new device.
 */
export async function prepareForDevice(
  vault: Vault,
  parameters: {
    readonly session: StoredLogin
    readonly deviceId: string
    readonly realm: string | undefined
    readonly change: WalletChange
  },
): Promise<void> {
  const { session, deviceId, realm, change } = parameters
  const wallet = await findWallet(vault.db, session.userId, realm)
  const ownSlot =
    wallet && (await findSlot(vault.db, { walletId: wallet.id, slot: session.deviceId }))
  if (!wallet || !ownSlot) throw new LatchkeyError('VAULT_NOT_FOUND')
  const facts = await readManifest(change.manifest)
  const [slot] = change.slots
  const forIt = { session: { ...session, deviceId }, change }
  checkFacts(forIt, facts)
  await checkChange(vault, forIt, { wallet, facts })
  if (!slot?.sealedDeviceShare || change.seal) throw new LatchkeyError('COMMIT_REFUSED')
  const key = await ensureUserKey(vault, session.userId)
  const stored = await sealChange(vault, { key, change, facts })
  const digest = createHash('sha256').update(JSON.stringify(change)).digest()
  await storeChange(vault, {
    userId: session.userId,
    deviceId,
    realm: wallet.realm,
    walletId: wallet.id,
    changeId: change.changeId,
    creates: false,
    digest,
    stored,
  })
}
