import {
  type changeEmailRoute,
  LatchkeyError,
  type resendEmailCodeRoute,
  type verifyPrimaryEmailRoute,
  type verifySecondaryEmailRoute,
} from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import { badInput, noAddress } from '../../http/request/badInput.ts'
import {
  addressAddedMail,
  addressReplacedMail,
  firstAddressAddedMail,
} from '../../mail/mailTexts.ts'
import { requireTrustedPage } from '../../projects/trustedPages.ts'
import type { Auth } from '../auth.ts'
import { consumeCode } from '../codes/codes.ts'
import { requireMailer } from '../login/login.ts'
import { outdatedPage, type SessionCall } from '../mount.ts'
import { needsPasskey } from '../passkeys/passkeys.ts'
import { endSessions } from '../session/endSession.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { createHandle, hashToken } from '../session/tokens.ts'
import {
  advanceChange,
  changeLifetimeMs,
  type EmailChange,
  findChange,
  getChangeCode,
  mailChangeCode,
  requireMayChange,
  undoMs,
} from './emailChange.ts'
import { normalizeEmail } from './normalizeEmail.ts'
import { reserveMail } from './reserveMail.ts'
import { openEmail, openOptionalEmail, type SealedEmail, sealEmail } from './sealedEmail.ts'

/**
 * Begins a change of email: fixes both addresses and mails a code to the current address, if any.
 * The new address must arrive exactly as it was shown, because otherwise the user might have agreed
 * to a different address.
 */
export async function changeEmail(
  auth: Auth,
  { body, session, jkt, address }: SessionCall<typeof changeEmailRoute>,
): Promise<z.infer<typeof changeEmailRoute.result>> {
  const mailer = requireMailer(auth)
  const { to } = body
  if (to === undefined)
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: outdatedPage } })
  if (normalizeEmail(to) !== to) throw badInput('to', noAddress('to'), 'EMAIL_INVALID')
  if (!mailer.takes(to)) throw new LatchkeyError('EMAIL_NOT_TAKEN')
  await requireMayChange(auth.db, session)
  const present = session.email
  const added = await sealEmail(auth, to)
  const same = present !== undefined && Buffer.compare(added.index, present.index) === 0
  if (same) throw new LatchkeyError('EMAIL_INVALID')
  // Reserve all mails of a change here, so that the last cannot fail half-way.
  const mailboxes = present && [present.index, added.index]
  const reservation = mailboxes && (await reserveMail(auth, { mailboxes, jkt, address }))
  const nowMs = auth.clock()
  const changeTx = createHandle()
  const change: EmailChange = {
    hash: hashToken(changeTx),
    user_id: session.userId,
    session_id: session.id,
    old_index: present?.index ?? null,
    new_index: added.index,
    new_sealed: added.sealed,
    step: 'primary',
    created_at: new Date(nowMs),
    expires_at: new Date(nowMs + changeLifetimeMs),
  }
  await auth.db.insertInto('email_changes').values(change).execute()
  const resendSeconds = auth.config.mailCooldownSeconds
  if (!reservation) return { changeTx, action: 'STEP_UP', resendSeconds }
  await reservation.send(() => mailChangeCode(auth, { change, session }))
  return { changeTx, action: 'VERIFY_PRIMARY_OTP', resendSeconds }
}

/**
 * Checks the code of the current address, after a passkey if the user has one, and mails a code to
 * the new address.
 */
export async function verifyPrimaryEmail(
  auth: Auth,
  { body, session }: SessionCall<typeof verifyPrimaryEmailRoute>,
): Promise<z.infer<typeof verifyPrimaryEmailRoute.result>> {
  const { changeTx, code, page } = body
  const change = await findChange(auth, { changeTx, session, steps: ['primary'] })
  await requireTrustedPage(auth.db, page)
  if (await needsPasskey(auth, session.userId))
    await requireStepUp(auth, session, `change ${changeTx}`)
  await consumeCode(auth, { of: getChangeCode(change, session), code, jkt: session.jkt }, (trx) =>
    advanceChange(trx, { change, to: 'secondary' }),
  )
  await mailChangeCode(auth, { change: { ...change, step: 'secondary' }, session })
  return { action: 'VERIFY_SECONDARY_OTP', resendSeconds: auth.config.mailCooldownSeconds }
}

/** Mails another code for the current step. */
export async function resendEmailCode(
  auth: Auth,
  { body, session, jkt, address }: SessionCall<typeof resendEmailCodeRoute>,
): Promise<z.infer<typeof resendEmailCodeRoute.result>> {
  const { changeTx } = body
  const change = await findChange(auth, { changeTx, session, steps: ['primary', 'secondary'] })
  const { emailIndex } = getChangeCode(change, session)
  const reservation = await reserveMail(auth, { mailboxes: [emailIndex], jkt, address })
  await reservation.send(() => mailChangeCode(auth, { change, session }))
  return { resendSeconds: auth.config.mailCooldownSeconds }
}

/**
 * Checks the code of the new address, which belongs to the user from now on. After a change it ends
 * other sessions, requires a new approval of other browsers, and notifies both addresses; the
 * previous address can undo that for 72 hours. A first address is one more way to sign in, and ends
 * nothing; it recovers no wallet for 72 hours.
 */
export async function verifySecondaryEmail(
  auth: Auth,
  { body, session }: SessionCall<typeof verifySecondaryEmailRoute>,
): Promise<z.infer<typeof verifySecondaryEmailRoute.result>> {
  const { changeTx, code, page } = body
  const mailer = requireMailer(auth)
  const change = await findChange(auth, { changeTx, session, steps: ['secondary'] })
  await requireTrustedPage(auth.db, page)
  const nowMs = auth.clock()
  const { userId, deviceId, email: present } = session
  const undo = present && createUndo({ change, present, nowMs })
  // Before anything changes: the previous address alone gets the link that undoes it.
  const newEmail = await openEmail(auth, change.new_sealed)
  const oldEmail = await openOptionalEmail(auth, present)
  await consumeCode(
    auth,
    { of: getChangeCode(change, session), code, jkt: session.jkt },
    async (trx) => {
      await advanceChange(trx, { change, to: 'done' })
      await replaceEmail(trx, { change, nowMs })
      if (!undo) {
        // A server that removed an address without them may have left links of its changes.
        await trx.deleteFrom('email_undos').where('user_id', '=', userId).execute()
        return auth.audit(trx, { subject: userId, deviceId, action: 'e-mail added', detail: {} })
      }
      await trx.insertInto('email_undos').values(undo.row).execute()
      await endSessions(trx, { userId, nowMs, except: session })
    },
  ).catch(toChangeEnded)
  auth.log.info(undo ? 'e-mail changed' : 'e-mail added')
  // The change is final: a failed mail is logged and undoes nothing.
  if (!undo || oldEmail === null) {
    await Promise.allSettled([mailer.send({ to: newEmail, ...firstAddressAddedMail() })])
    return { newEmail }
  }
  const link = `${auth.config.frame.url}/undo#${undo.secret}`
  await Promise.allSettled([
    mailer.send({ ...addressReplacedMail({ link, to: newEmail }), to: oldEmail }),
    mailer.send({ to: newEmail, ...addressAddedMail() }),
  ])
  return { newEmail }
}

type Undoing = {
  readonly change: EmailChange
  readonly present: SealedEmail
  readonly nowMs: number
}

/** A link for the previous address, and its row. */
function createUndo({ change, present, nowMs }: Undoing) {
  const secret = createHandle()
  const row = {
    hash: hashToken(secret),
    user_id: change.user_id,
    old_index: present.index,
    old_sealed: present.sealed,
    changed_at: new Date(nowMs),
    expires_at: new Date(nowMs + undoMs),
  }
  return { secret, row }
}

/**
 * Throws if the current address differs from the address at the start of the change, because
 * another change came first.
 */
async function replaceEmail(
  trx: Kysely<Database>,
  { change, nowMs }: { readonly change: EmailChange; readonly nowMs: number },
): Promise<void> {
  const replaced = await trx
    .updateTable('users')
    .set({
      email_index: change.new_index,
      email_sealed: change.new_sealed,
      undo_until: new Date(nowMs + undoMs),
      ...(change.old_index === null && { email_added_at: getAddedAt(new Date(nowMs)) }),
    })
    .where('id', '=', change.user_id)
    .where('email_index', 'is not distinct from', change.old_index)
    .executeTakeFirst()
  if (replaced.numUpdatedRows !== 1n) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
}

/**
 * After a removal, the first date stays while a sign-in from before that date remains. Otherwise a
 * sign-in that was linked in the meantime, through a mailbox that the owner has removed, would
 * count as older than the new address.
 */
const getAddedAt = (now: Date) =>
  sql<Date>`case when exists (
    select from identities where user_id = users.id and identities.created_at < users.email_added_at
  ) then email_added_at else ${now} end`

/** Another account took the new address in the meantime (unique_violation). */
function toChangeEnded(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505') throw new LatchkeyError('EMAIL_CHANGE_ENDED')
  throw error
}
