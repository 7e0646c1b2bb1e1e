import { LatchkeyError, type readUndoLinkRoute, type undoEmailChangeRoute } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import { changeUndoneMail } from '../../mail/mailTexts.ts'
import type { Auth } from '../auth.ts'
import { secondsLeft } from '../login/verifyLogin.ts'
import type { RouteCall } from '../mount.ts'
import { endSessions } from '../session/endSession.ts'
import { hashToken } from '../session/tokens.ts'
import { openEmail, toSealedEmail } from './sealedEmail.ts'

/** The address that an undo link would restore. Throws `LINK_INVALID`. */
export async function readUndoLink(
  auth: Auth,
  { body }: RouteCall<typeof readUndoLinkRoute>,
): Promise<z.infer<typeof readUndoLinkRoute.result>> {
  const undo = await findUndo(auth.db, { secret: body.secret, nowMs: auth.clock() })
  return {
    email: await openEmail(auth, undo.old_sealed),
    changedAtMs: undo.changed_at.getTime(),
    expiresInSeconds: secondsLeft(undo.expires_at.getTime(), auth.clock()),
  }
}

/**
 * Restores the previous address, ends every session except in browsers that hold the wallet, and
 * invalidates the undo links of later changes. Anyone who reads the old mailbox has the link, so
 * the link must not sign out the owner's browsers.
 */
export async function undoEmailChange(
  auth: Auth,
  { body }: RouteCall<typeof undoEmailChangeRoute>,
): Promise<z.infer<typeof undoEmailChangeRoute.result>> {
  const nowMs = auth.clock()
  // Decrypted before anything changes: the link works once, and must stay valid if the address
  // cannot be decrypted.
  const { old_sealed } = await findUndo(auth.db, { secret: body.secret, nowMs })
  const email = await openEmail(auth, old_sealed)
  const after = await auth.db.transaction().execute(async (trx) => {
    const undo = await findUndo(trx, { secret: body.secret, nowMs })
    const user = await trx
      .selectFrom('users')
      .select(['id', 'email_index', 'email_sealed', 'email_added_at', 'undo_until'])
      .where('id', '=', undo.user_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const after = toSealedEmail(user)
    // An older server removed the address but kept its links.
    if (!after) throw new LatchkeyError('LINK_INVALID')
    const used = await trx
      .deleteFrom('email_undos')
      .where('user_id', '=', user.id)
      .where('changed_at', '>=', undo.changed_at)
      .executeTakeFirst()
    if (used.numDeletedRows === 0n) throw new LatchkeyError('LINK_INVALID')
    const remaining = await trx
      .selectFrom('email_undos')
      .select((row) => row.fn.max('expires_at').as('latest'))
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    // An added address cannot recover a wallet for 72 hours. `email_added_at` does not show this,
    // because it outlives a removal.
    await trx
      .updateTable('users')
      .set({
        email_index: undo.old_index,
        email_sealed: undo.old_sealed,
        undo_until: findLatest(remaining?.latest, user.email_added_at && user.undo_until),
      })
      .where('id', '=', user.id)
      .execute()
    await trx.deleteFrom('email_changes').where('user_id', '=', user.id).execute()
    await endSessions(trx, { userId: user.id, nowMs, except: 'holders' })
    return after.sealed
  })
  auth.log.info('e-mail change undone')
  await Promise.allSettled(
    [email, openEmail(auth, after)].map(async (to) =>
      auth.mailer?.send({ to: await to, ...changeUndoneMail() }),
    ),
  )
  return { email }
}

function findLatest(...dates: readonly (Date | null | undefined)[]): Date | null {
  const times = dates.flatMap((date) => date?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(...times))
}

async function findUndo(
  db: Kysely<Database>,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
) {
  const undo = await db
    .selectFrom('email_undos')
    .selectAll()
    .where('hash', '=', hashToken(secret))
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  if (undo === undefined) throw new LatchkeyError('LINK_INVALID')
  return undo
}
