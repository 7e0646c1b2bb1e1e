import {
  type answerEnrollmentRoute,
  type askEnrollmentRoute,
  enrollmentVersion,
  LatchkeyError,
  type listEnrollmentsRoute,
  type meetEnrollmentRoute,
  type pollEnrollmentRoute,
} from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { StoredLogin } from '../../auth/session/session.ts'
import { appendAudit } from '../audit.ts'
import { parsePublicKey } from '../keys/hpkeSeal.ts'
import { takeVaultTurn } from '../limits.ts'
import { mainRealm, type Vault } from '../vault.ts'
import { findWallet } from '../wallet/findWallet.ts'
import { prepareForDevice } from '../wallet/prepareWallet.ts'
import { requireHolder } from '../wallet/requireHolder.ts'

const openForMs = 10 * 60_000
type Nothing = Record<string, never>

/** The error for pages of an older version, with a code that they know. */
const outdatedPage = () =>
  new LatchkeyError('INVALID_PARAMS', {
    data: {
      reason: 'this page is older than its server. Reload it on both devices and start again',
    },
  })

/**
 * A new device requests approval from the user's enrolled devices. Throws `VAULT_NOT_FOUND` if the
 * wallet does not exist, and `RATE_LIMITED`.
 */
export async function askEnrollment(
  vault: Vault,
  {
    session,
    body,
  }: { readonly session: StoredLogin; readonly body: z.infer<typeof askEnrollmentRoute.body> },
): Promise<{ secondsLeft: number }> {
  const { userId, deviceId } = session
  if (body.v !== enrollmentVersion) throw outdatedPage()
  await takeVaultTurn(vault, 'vault enroll', session)
  await parsePublicKey(body.deviceKey)
  const wallet = await findWallet(vault.db, userId, body.realm)
  if (!wallet) throw new LatchkeyError('VAULT_NOT_FOUND')
  const nowMs = vault.clock()
  await vault.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('enrollments').where('device_id', '=', deviceId).execute()
    const stored = await trx
      .insertInto('enrollments')
      .values({
        id: body.askId,
        user_id: userId,
        device_id: deviceId,
        device_key: body.deviceKey,
        commitment: body.commitment,
        nonce: null,
        met_by: null,
        met_nonce: null,
        met_key: null,
        realm: wallet.realm,
        version: enrollmentVersion,
        change_id: null,
        refused_at: null,
        expires_at: new Date(nowMs + openForMs),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (stored.numInsertedOrUpdatedRows !== 1n) throw new LatchkeyError('WALLET_CHANGED')
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'enrolment asked' })
  })
  return { secondsLeft: openForMs / 1000 }
}

/** The enrollment requests that wait for a device that holds the requested wallet. */
export async function readEnrollments(
  vault: Vault,
  session: StoredLogin,
): Promise<z.infer<typeof listEnrollmentsRoute.result>> {
  const held = await readHeld(vault, session)
  const nowMs = vault.clock()
  const rows = await vault.db
    .selectFrom('enrollments')
    .innerJoin('devices', 'devices.id', 'enrollments.device_id')
    .selectAll('enrollments')
    .select('devices.browser')
    .where('enrollments.user_id', '=', session.userId)
    .where('enrollments.device_id', '!=', session.deviceId)
    .where('devices.revoked_at', 'is', null)
    .where('version', '=', enrollmentVersion)
    .where((row) => row.or([row('realm', 'in', held), row('realm', 'is', null)]))
    .where('refused_at', 'is', null)
    .where('change_id', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .orderBy('expires_at', 'desc')
    .limit(20)
    .execute()
  return {
    asks: rows.map((row) => ({
      askId: row.id,
      deviceId: row.device_id,
      // Not the name: the requesting device could have chosen it.
      name: row.browser,
      deviceKey: row.device_key,
      commitment: row.commitment,
      ...(row.realm !== null && row.realm !== mainRealm && { realm: row.realm }),
      ...(row.nonce !== null && row.met_by === session.deviceId && { nonce: row.nonce }),
      secondsLeft: Math.ceil((row.expires_at.getTime() - nowMs) / 1000),
    })),
  }
}

/**
 * The realms of the wallets that a device holds. Throws `WALLET_NOT_ENROLLED` if it holds no
 * wallet.
 */
async function readHeld({ db }: Vault, { userId, deviceId }: StoredLogin): Promise<string[]> {
  const rows = await db
    .selectFrom('wallets')
    .innerJoin('wallet_slots', 'wallet_slots.wallet_id', 'wallets.id')
    .select('wallets.realm')
    .where('wallets.user_id', '=', userId)
    .where('wallet_slots.slot', '=', deviceId)
    .execute()
  if (rows.length === 0) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  return rows.map(({ realm }) => realm)
}

/**
 * The first enrolled device that meets a new one becomes its approver. Repeating the call changes
 * nothing. Throws `VAULT_NOT_FOUND`, and `WALLET_CHANGED` if another device is the approver.
 */
export async function meetEnrollment(
  vault: Vault,
  {
    session,
    body,
  }: { readonly session: StoredLogin; readonly body: z.infer<typeof meetEnrollmentRoute.body> },
): Promise<Nothing> {
  const { askId, nonce, deviceKey } = body
  if (deviceKey === undefined) throw outdatedPage()
  const ask = await findAsk(vault, { session, askId })
  await requireHolder(vault, session, ask.realm ?? undefined)
  await parsePublicKey(deviceKey)
  const again =
    ask.met_by === session.deviceId && ask.met_nonce === nonce && ask.met_key === deviceKey
  if (again) return {}
  const updated = await vault.db
    .updateTable('enrollments')
    .set({ met_by: session.deviceId, met_nonce: nonce, met_key: deviceKey })
    .where('id', '=', askId)
    .where('met_by', 'is', null)
    .where('device_id', '!=', session.deviceId)
    .executeTakeFirst()
  if (updated.numUpdatedRows !== 1n) throw new LatchkeyError('WALLET_CHANGED')
  return {}
}

/**
 * The new device reveals its nonce, once. Throws `VAULT_NOT_FOUND` if no enrolled device has met it
 * yet.
 */
export async function revealEnrollment(
  vault: Vault,
  parameters: { readonly session: StoredLogin; readonly askId: string; readonly nonce: string },
): Promise<Nothing> {
  const { session, askId, nonce } = parameters
  const ask = await findAsk(vault, { session, askId })
  if (ask.device_id !== session.deviceId || ask.met_by === null)
    throw new LatchkeyError('VAULT_NOT_FOUND')
  if (ask.nonce !== null && ask.nonce !== nonce) throw new LatchkeyError('WALLET_CHANGED')
  await vault.db.updateTable('enrollments').set({ nonce }).where('id', '=', askId).execute()
  return {}
}

type Answering = {
  readonly session: StoredLogin
  readonly body: z.infer<typeof answerEnrollmentRoute.body>
}

/** An enrolled device approves the new device with a change prepared for it, or rejects it. */
export async function answerEnrollment(
  vault: Vault,
  { session, body }: Answering,
): Promise<Nothing> {
  const ask = await findAsk(vault, { session, askId: body.askId })
  const realm = ask.realm ?? undefined
  await requireHolder(vault, session, realm)
  const { userId, deviceId } = session
  const detail = { device: ask.device_id }
  if (!body.change) {
    await vault.db.transaction().execute(async (trx) => {
      const refused_at = new Date(vault.clock())
      await trx.updateTable('enrollments').set({ refused_at }).where('id', '=', ask.id).execute()
      const action = 'enrolment refused'
      await appendAudit(trx, vault, { subject: userId, deviceId, action, detail })
    })
    return {}
  }
  if (ask.met_by !== deviceId || ask.nonce === null) throw new LatchkeyError('VAULT_NOT_FOUND')
  const change = { ...body.change, deviceKey: ask.device_key }
  await prepareForDevice(vault, { session, deviceId: ask.device_id, realm, change })
  await vault.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('enrollments')
      .set({ change_id: change.changeId })
      .where('id', '=', ask.id)
      .execute()
    const action = 'enrolment approved'
    await appendAudit(trx, vault, { subject: userId, deviceId, action, detail })
  })
  return {}
}

/** The status of the new device's enrollment request. */
export async function readEnrollment(
  vault: Vault,
  { session, askId }: { readonly session: StoredLogin; readonly askId: string },
): Promise<z.infer<typeof pollEnrollmentRoute.result>> {
  const ask = await findAsk(vault, { session, askId, refused: 'shown' })
  if (ask.device_id !== session.deviceId) throw new LatchkeyError('VAULT_NOT_FOUND')
  if (ask.refused_at !== null) return { status: 'refused' }
  if (ask.change_id !== null) {
    const change = await vault.db
      .selectFrom('wallet_changes')
      .select('body')
      .where('id', '=', ask.change_id)
      .executeTakeFirst()
    const slot = change?.body.slots[0]
    if (!change || !slot?.sealedDeviceShare) throw new LatchkeyError('VAULT_NOT_FOUND')
    const { sealedRecoveryShare, sealedDeviceShare } = slot
    const { manifest } = change.body
    const shares = { sealedRecoveryShare, sealedDeviceShare }
    return { status: 'approved', changeId: ask.change_id, manifest, ...shares }
  }
  const { met_by: metBy, met_nonce: nonce, met_key: deviceKey } = ask
  if (metBy === null || nonce === null || deviceKey === null) return { status: 'waiting' }
  const wallet = await findWallet(vault.db, session.userId, ask.realm ?? undefined)
  if (!wallet) throw new LatchkeyError('VAULT_NOT_FOUND')
  const addresses = { eip155: wallet.eip155, solana: wallet.solana }
  return { status: 'met', nonce, deviceId: metBy, deviceKey, addresses }
}

type Finding = {
  readonly session: StoredLogin
  readonly askId: string
  readonly refused?: 'shown' | undefined
}

async function findAsk({ db, clock }: Vault, { session, askId, refused }: Finding) {
  const ask = await db
    .selectFrom('enrollments')
    .selectAll()
    .where('id', '=', askId)
    .where('user_id', '=', session.userId)
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  if (ask && ask.version !== enrollmentVersion) throw outdatedPage()
  if (!ask || (ask.refused_at !== null && refused !== 'shown'))
    throw new LatchkeyError('VAULT_NOT_FOUND')
  return ask
}
