import {
  type changeEmail as changeRoute,
  LatchkeyError,
  type verifyPrimaryEmail as primaryRoute,
  type resendEmailCode as resendRoute,
  type verifySecondaryEmail as secondaryRoute,
} from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import { addressAddedMail, addressReplacedMail } from '../../mail/mailTexts.ts'
import type { Auth } from '../auth.ts'
import { consumeCode } from '../codes/codes.ts'
import { requireMailer } from '../login/login.ts'
import { outdatedPage, type SessionCall } from '../mount.ts'
import { requireHolderOrNoWallet } from '../requireHolderOrNoWallet.ts'
import { endSessions } from '../session/endSession.ts'
import { createHandle, hashToken } from '../session/tokens.ts'
import {
  changeLifetimeMs,
  type EmailChange,
  findChange,
  getChangeCode,
  mailChangeCode,
} from './emailChange.ts'
import { normaliseEmail } from './normaliseEmail.ts'
import { reserveMail } from './reserveMail.ts'
import { openEmail, sealEmail } from './sealedEmail.ts'

const undoMs = 72 * 3_600_000

/**
 * Begins a change of e-mail: fixes both addresses and mails a code to the present one. The new one is taken only in the form that
 * it was shown in: else a person could have agreed to another.
 */
export async function changeEmail(
  auth: Auth,
  { body, session, jkt, address }: SessionCall<typeof changeRoute>,
): Promise<z.infer<typeof changeRoute.result>> {
  requireMailer(auth)
  const { to } = body
  if (to === undefined)
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: outdatedPage } })
  if (normaliseEmail(to) !== to) throw new LatchkeyError('EMAIL_INVALID')
  await requireHolderOrNoWallet(auth.db, session)
  const added = await sealEmail(auth, to)
  const same = Buffer.compare(added.index, session.emailIndex) === 0
  if (same) throw new LatchkeyError('EMAIL_INVALID')
  // Both mails of a change are paid for here, so that none is missing half-way.
  const taken = await reserveMail(auth, {
    mailboxes: [session.emailIndex, added.index],
    jkt,
    address,
  })
  const nowMs = auth.clock()
  const changeTx = createHandle()
  const change: EmailChange = {
    hash: hashToken(changeTx),
    user_id: session.userId,
    session_id: session.id,
    old_index: session.emailIndex,
    new_index: added.index,
    new_sealed: added.sealed,
    step: 'primary',
    created_at: new Date(nowMs),
    expires_at: new Date(nowMs + changeLifetimeMs),
  }
  await auth.db.insertInto('email_changes').values(change).execute()
  await taken.send(() => mailChangeCode(auth, { change, session }))
  const resendSeconds = auth.config.mailCooldownSeconds
  return { changeTx, action: 'VERIFY_PRIMARY_OTP', resendSeconds }
}

/** The code of the present address; mails one to the new address. */
export async function verifyPrimaryEmail(
  auth: Auth,
  { body, session }: SessionCall<typeof primaryRoute>,
): Promise<z.infer<typeof primaryRoute.result>> {
  const { changeTx, code } = body
  const change = await findChange(auth, { changeTx, session, steps: ['primary'] })
  await consumeCode(auth, { of: getChangeCode(change, session), code, jkt: session.jkt }, (trx) =>
    advance(trx, { change, to: 'secondary' }),
  )
  await mailChangeCode(auth, { change: { ...change, step: 'secondary' }, session })
  return { action: 'VERIFY_SECONDARY_OTP', resendSeconds: auth.config.mailCooldownSeconds }
}

/** Another code for the step that is due. */
export async function resendEmailCode(
  auth: Auth,
  { body, session, jkt, address }: SessionCall<typeof resendRoute>,
): Promise<z.infer<typeof resendRoute.result>> {
  const { changeTx } = body
  const change = await findChange(auth, { changeTx, session, steps: ['primary', 'secondary'] })
  const { emailIndex } = getChangeCode(change, session)
  const taken = await reserveMail(auth, { mailboxes: [emailIndex], jkt, address })
  await taken.send(() => mailChangeCode(auth, { change, session }))
  return { resendSeconds: auth.config.mailCooldownSeconds }
}

/**
 * The code of the new address: it is the user's from now on. Other sessions end, other browsers are approved anew, both
 * addresses hear of it, and the one before may undo it for 72 hours.
 */
export async function verifySecondaryEmail(
  auth: Auth,
  { body, session }: SessionCall<typeof secondaryRoute>,
): Promise<z.infer<typeof secondaryRoute.result>> {
  const { changeTx, code } = body
  const mailer = requireMailer(auth)
  const change = await findChange(auth, { changeTx, session, steps: ['secondary'] })
  const nowMs = auth.clock()
  const secret = createHandle()
  const undo = {
    hash: hashToken(secret),
    user_id: session.userId,
    old_index: change.old_index,
    old_sealed: session.emailSealed,
    changed_at: new Date(nowMs),
    expires_at: new Date(nowMs + undoMs),
  }
  await consumeCode(
    auth,
    { of: getChangeCode(change, session), code, jkt: session.jkt },
    async (trx) => {
      await advance(trx, { change, to: 'done' })
      await replaceEmail(trx, { change, undoUntil: undo.expires_at })
      await trx.insertInto('email_undos').values(undo).execute()
      await endSessions(trx, { userId: session.userId, nowMs, except: session })
    },
  ).catch(toChangeEnded)
  const [oldEmail, newEmail] = await Promise.all([
    openEmail(auth, session.emailSealed),
    openEmail(auth, change.new_sealed),
  ])
  auth.log.info('e-mail changed')
  const link = `${auth.config.frame.url}/undo#${secret}`
  // The change stands: a mail that fails is in the log and takes nothing back.
  await Promise.allSettled([
    mailer.send({ ...addressReplacedMail({ link, to: newEmail }), to: oldEmail }),
    mailer.send({ to: newEmail, ...addressAddedMail() }),
  ])
  return { newEmail }
}

async function advance(
  trx: Kysely<Database>,
  { change, to }: { readonly change: EmailChange; readonly to: EmailChange['step'] },
): Promise<void> {
  const moved = await trx
    .updateTable('email_changes')
    .set({ step: to })
    .where('hash', '=', change.hash)
    .where('step', '=', change.step)
    .executeTakeFirst()
  if (moved.numUpdatedRows !== 1n) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
}

/** Fails when the present address is not the one that the change began with: another change won. */
async function replaceEmail(
  trx: Kysely<Database>,
  { change, undoUntil }: { readonly change: EmailChange; readonly undoUntil: Date },
): Promise<void> {
  const replaced = await trx
    .updateTable('users')
    .set({
      email_index: change.new_index,
      email_sealed: change.new_sealed,
      undo_until: undoUntil,
    })
    .where('id', '=', change.user_id)
    .where('email_index', '=', change.old_index)
    .executeTakeFirst()
  if (replaced.numUpdatedRows !== 1n) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
}

/** Another account took the new address in the meantime (unique_violation). */
function toChangeEnded(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505') throw new LatchkeyError('EMAIL_CHANGE_ENDED')
  throw error
}
