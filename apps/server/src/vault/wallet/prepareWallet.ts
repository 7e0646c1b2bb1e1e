import { createHash } from 'node:crypto'
import { LatchkeyError, type WalletChange } from '@latchkey/wire'
import type { Session } from '../../auth/session/session.ts'
import { requireStepUp } from '../../auth/session/stepUp.ts'
import { parsePublicKey } from '../keys/hpkeSeal.ts'
import { ensureUserKey } from '../keys/userKey.ts'
import { takeVaultTurn } from '../limits.ts'
import { requireMailbox } from '../recovery/storeFactor.ts'
import { realm, type Vault } from '../vault.ts'
import { findSlot, findWallet, type WalletRow } from './findWallet.ts'
import { findMissingDevices, isSubset } from './missingDevices.ts'
import { type ManifestFacts, readManifest } from './readManifest.ts'
import { type PendingChange, sealChange, storeChange } from './storeChange.ts'

/** A change, and the device that may commit it. */
type ChangeRequest = { readonly session: Session; readonly change: WalletChange }

/**
 * Stores a change until it is committed or 15 minutes have passed; nothing else changes. Repeating the call changes nothing.
 * Throws `WALLET_EXISTS` if another device's creation came first, `WALLET_CHANGED` if the change is based on an older state
 * of the wallet, `COMMIT_REFUSED` if it is inconsistent, and `INVALID_PARAMS` for the operator's help without a mailbox.
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
  const wallet = await findWallet(vault.db, session.userId)
  const digest = createHash('sha256').update(JSON.stringify(change)).digest()
  const again = await findSameChange(vault, parameters, digest)
  if (again) return again
  checkFacts(parameters, facts)
  if (wallet) await checkChange(vault, parameters, { wallet, facts })
  else checkCreation(parameters, facts)
  const key = await ensureUserKey(vault, session.userId)
  const stored = await sealChange(vault, { key, change, facts })
  return storeChange(vault, {
    userId: session.userId,
    deviceId: session.deviceId,
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
    facts.realm === realm &&
    facts.epoch === change.epoch &&
    own?.key === change.deviceKey
  const names = new Set(change.slots.map(({ slot }) => slot))
  if (!honest || names.size !== change.slots.length) throw new LatchkeyError('COMMIT_REFUSED')
}

function checkCreation({ session, change }: ChangeRequest, facts: ManifestFacts): void {
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

async function checkChange(vault: Vault, { session, change }: ChangeRequest, against: Against) {
  const { wallet, facts } = against
  const { seal, slots, factors } = change
  if (change.walletId !== wallet.id) throw new LatchkeyError('WALLET_EXISTS')
  const sameWallet =
    facts.addresses.eip155 === wallet.eip155 && facts.addresses.solana === wallet.solana
  if (!sameWallet) throw new LatchkeyError('COMMIT_REFUSED')
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
  if (factors) await requireStepUp(vault, session, 'new key')
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

/** A new key is split only for devices that are in the owner's signed list and hold the wallet now. */
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

/** The change that an approving device prepares for a new one. `deviceKey` is the key of the new device. */
export async function prepareForDevice(
  vault: Vault,
  parameters: {
    readonly session: Session
    readonly deviceId: string
    readonly change: WalletChange
  },
): Promise<void> {
  const { session, deviceId, change } = parameters
  const wallet = await findWallet(vault.db, session.userId)
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
    walletId: wallet.id,
    changeId: change.changeId,
    creates: false,
    digest,
    stored,
  })
}
