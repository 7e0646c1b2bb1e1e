import { createHash, randomBytes } from 'node:crypto'
import { type HpkeSealed, LatchkeyError } from '@latchkey/wire'
import { openEmail, requireEmail } from '../../auth/email/sealedEmail.ts'
import type { StoredLogin } from '../../auth/session/session.ts'
import { recoveryStartedMail } from '../../mail/mailTexts.ts'
import { appendAudit } from '../audit.ts'
import { hpkeSeal } from '../keys/hpkeSeal.ts'
import { readUserKey } from '../keys/userKey.ts'
import { takeVaultTurn } from '../limits.ts'
import type { Db, Vault } from '../vault.ts'
import { findWallet, type WalletRow } from '../wallet/findWallet.ts'
import { openOperatorFactor } from './storeFactor.ts'

const dayMs = 24 * 3_600_000
const recoveryDelayMs = dayMs
/** How long a recovery stays open after it was requested. */
export const openForMs = 7 * dayMs
/** How long no recovery can be requested after a recovery was stopped. */
const closedForMs = 7 * dayMs

type StartedRecovery = { readonly id: string; readonly secondsLeft: number }

/**
 * Requests from the operator the recovery key of the wallet in `realm`, by default of the wallet in
 * use, after a code for that purpose. If another device holds any wallet of the user, the recovery
 * waits 24 h and the mail contains a link that cancels it. A recovery that this device has
 * requested already continues without another code. Throws `STEP_UP_NEEDED` without the code,
 * `VAULT_NOT_FOUND` if the operator keeps no key, `RECOVERY_FROZEN` after a change of email, and
 * `RECOVERY_STOPPED` for a week after any recovery was canceled.
 */
export async function startOperatorRecovery(
  vault: Vault,
  { session, realm }: { readonly session: StoredLogin; readonly realm?: string | undefined },
): Promise<StartedRecovery> {
  const { userId, deviceId } = session
  const nowMs = vault.clock()
  requireUnfrozen(session, nowMs)
  const wallet = await findWallet(vault.db, userId, realm)
  if (!wallet || !(await findOperatorFactor(vault.db, wallet)))
    throw new LatchkeyError('VAULT_NOT_FOUND')
  const open = await findOpenRecoveries(vault.db, session, nowMs)
    .where('wallet_id', '=', wallet.id)
    .orderBy('ready_at')
    .executeTakeFirst()
  if (open) return { id: open.id, secondsLeft: secondsUntil(open.ready_at, nowMs) }
  await requireNotStopped(vault.db, { walletId: wallet.id, nowMs })
  if (session.recoveryUntilMs === undefined) throw new LatchkeyError('STEP_UP_NEEDED')
  await takeVaultTurn(vault, 'vault operator recovery', session)
  await vault.breaker.take()
  const others = await vault.db
    .selectFrom('wallet_slots')
    .innerJoin('wallets', 'wallets.id', 'wallet_slots.wallet_id')
    .select('wallet_slots.slot')
    .where('wallets.user_id', '=', userId)
    .where('wallet_slots.slot', 'not in', ['recovery', deviceId])
    .execute()
  const delayMs = others.length > 0 ? recoveryDelayMs : 0
  const id = randomBytes(16).toString('hex')
  const secret = randomBytes(16).toString('hex')
  await notify(vault, { session, secret, delayMs })
  await vault.db.transaction().execute(async (trx) => {
    // A cancellation locks this row too, so that no recovery begins while another is being
    // canceled.
    await trx.selectFrom('wallets').select('id').where('id', '=', wallet.id).forUpdate().execute()
    await requireNotStopped(trx, { walletId: wallet.id, nowMs })
    // One code allows one recovery: after a stop, a new code is needed.
    const used = await trx
      .updateTable('sessions')
      .set({ recovery_until: null })
      .where('id', '=', session.id)
      .where('recovery_until', 'is not', null)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) throw new LatchkeyError('STEP_UP_NEEDED')
    await trx
      .insertInto('operator_recoveries')
      .values({
        id,
        wallet_id: wallet.id,
        user_id: userId,
        device_id: deviceId,
        cancel_hash: hashSecret(secret),
        created_at: new Date(nowMs),
        ready_at: new Date(nowMs + delayMs),
        cancelled_at: null,
        released_at: null,
      })
      .execute()
    const detail = { delaySeconds: delayMs / 1000 }
    const action = 'operator recovery started'
    await appendAudit(trx, vault, { subject: userId, deviceId, action, detail })
  })
  vault.log.warn({ delayMs }, 'an operator recovery was started')
  return { id, secondsLeft: delayMs / 1000 }
}

/** Recoveries that this device requested and that were not stopped. */
const findOpenRecoveries = (db: Db, { userId, deviceId }: StoredLogin, nowMs: number) =>
  db
    .selectFrom('operator_recoveries')
    .select(['id', 'wallet_id', 'ready_at'])
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('cancelled_at', 'is', null)
    .where('created_at', '>', new Date(nowMs - openForMs))

const secondsUntil = (at: Date, nowMs: number) =>
  Math.max(0, Math.ceil((at.getTime() - nowMs) / 1000))

function requireUnfrozen({ undoUntilMs }: StoredLogin, nowMs: number): void {
  if (undoUntilMs === undefined) return
  const seconds = Math.ceil((undoUntilMs - nowMs) / 1000)
  throw new LatchkeyError('RECOVERY_FROZEN', { data: { seconds } })
}

type RecoveryQuery = { readonly walletId: string; readonly nowMs: number }

async function requireNotStopped(db: Db, { walletId, nowMs }: RecoveryQuery): Promise<void> {
  const last = await db
    .selectFrom('operator_recoveries')
    .select('cancelled_at')
    .where('wallet_id', '=', walletId)
    .where('cancelled_at', '>', new Date(nowMs - closedForMs))
    .orderBy('cancelled_at', 'desc')
    .executeTakeFirst()
  if (!last?.cancelled_at) return
  const days = Math.ceil((last.cancelled_at.getTime() + closedForMs - nowMs) / dayMs)
  throw new LatchkeyError('RECOVERY_STOPPED', { data: { days } })
}

type Notice = { readonly session: StoredLogin; readonly secret: string; readonly delayMs: number }

/** Without the mail, the user could not stop the recovery, so it is not started. */
async function notify(vault: Vault, { session, secret, delayMs }: Notice): Promise<void> {
  if (!vault.mailer) throw new LatchkeyError('MAIL_NOT_SENT')
  const link = `${vault.config.frame.url}/undo#recovery=${secret}`
  const hours = delayMs / 3_600_000
  const to = await openEmail(vault, requireEmail(session.email).sealed)
  await vault.mailer.send({ ...recoveryStartedMail({ link, hours }), to })
}

type RecoveryStatus =
  | { readonly status: 'waiting'; readonly secondsLeft: number }
  | { readonly status: 'released'; readonly sealed: HpkeSealed }

/**
 * The recovery key, encrypted to the device that requested it. Throws `VAULT_NOT_FOUND` if the
 * recovery was canceled or has expired, and `RECOVERY_FROZEN` if the email address was changed in
 * the meantime.
 */
export async function releaseOperatorRecovery(
  vault: Vault,
  parameters: { readonly session: StoredLogin; readonly id: string; readonly deviceKey: string },
): Promise<RecoveryStatus> {
  const { session, id, deviceKey } = parameters
  const { userId, deviceId } = session
  const nowMs = vault.clock()
  requireUnfrozen(session, nowMs)
  const recovery = await findOpenRecoveries(vault.db, session, nowMs)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!recovery) throw new LatchkeyError('VAULT_NOT_FOUND')
  const wallet = { id: recovery.wallet_id }
  const factor = await findOperatorFactor(vault.db, wallet)
  if (!factor) throw new LatchkeyError('VAULT_NOT_FOUND')
  const secondsLeft = secondsUntil(recovery.ready_at, nowMs)
  if (secondsLeft > 0) return { status: 'waiting', secondsLeft }
  const key = await readUserKey(vault.db, vault, userId)
  if (!key) throw new LatchkeyError('VAULT_NOT_FOUND')
  const recoveryKey = await openOperatorFactor(vault, { key, walletId: wallet.id }, factor)
  const sealed = await hpkeSeal(deviceKey, recoveryKey, ['recovery key', wallet.id, deviceId])
  recoveryKey.fill(0)
  await vault.db.transaction().execute(async (trx) => {
    // A concurrent cancellation wins.
    const released = await trx
      .updateTable('operator_recoveries')
      .set({ released_at: new Date(nowMs) })
      .where('id', '=', id)
      .where('cancelled_at', 'is', null)
      .executeTakeFirst()
    if (released.numUpdatedRows !== 1n) throw new LatchkeyError('VAULT_NOT_FOUND')
    const action = 'operator recovery released'
    await appendAudit(trx, vault, { subject: userId, deviceId, action })
  })
  return { status: 'released', sealed }
}

async function findOperatorFactor(db: Db, { id }: Pick<WalletRow, 'id'>) {
  const row = await db
    .selectFrom('recovery_factors')
    .select(['operator_sealed', 'operator_key_wrapped'])
    .where('wallet_id', '=', id)
    .where('kind', '=', 'operator')
    .executeTakeFirst()
  if (!row?.operator_sealed || !row.operator_key_wrapped) return undefined
  return { sealed: row.operator_sealed, keyWrapped: row.operator_key_wrapped }
}

/** The hash of the secret in a mail's link. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()
