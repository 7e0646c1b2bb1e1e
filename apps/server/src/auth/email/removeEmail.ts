import { LatchkeyError, type removeEmailRoute } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import { addressRemovedMail, undoEndedMail } from '../../mail/mailTexts.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import type { SessionCall } from '../mount.ts'
import { beganWithPasskey } from '../passkeys/passkeys.ts'
import { endSessions } from '../session/endSession.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { selectOlderThanEmail } from '../social/identityOwner.ts'
import { openEmail, requireEmail, toSealedEmail } from './sealedEmail.ts'

/**
 * Removes an email address that was added after another sign-in. Ends all other sessions (the
 * mailbox owner may have opened them) and notifies the mailbox. No undo link of an earlier address
 * restores it, because all addresses were added later than the sign-in that stays. The addresses
 * may be the owner's, so only an older sign-in or passkey confirms the removal, and the addresses
 * are notified. Throws `STEP_UP_NEEDED`, `WALLET_NOT_ENROLLED`, `INVALID_PARAMS`.
 */
export async function removeEmail(
  auth: Auth,
  { session }: SessionCall<typeof removeEmailRoute>,
): Promise<z.infer<typeof removeEmailRoute.result>> {
  await assertDeviceOwnsWallet(auth.db, session)
  await requireStepUp(auth, session, 'unlink email')
  const { userId, deviceId } = session
  const removed = await auth.db.transaction().execute(async (trx) => {
    // The lock serializes this with the removal of a sign-in, so that not both of the last two ways
    // go.
    const user = await trx
      .selectFrom('users')
      .select(['email_index', 'email_sealed'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { sealed } = requireEmail(toSealedEmail(user))
    await requireOtherWays(trx, userId)
    await trx
      .updateTable('users')
      .set({ email_index: null, email_sealed: null })
      .where('id', '=', userId)
      .execute()
    await trx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
    const links = await trx
      .deleteFrom('email_undos')
      .where('user_id', '=', userId)
      .returning(['old_sealed', 'expires_at'])
      .execute()
    await endSessions(trx, { userId, nowMs: auth.clock(), except: session })
    await auth.audit(trx, { subject: userId, deviceId, action: 'e-mail removed', detail: {} })
    return { sealed, links: links.filter((link) => link.expires_at.getTime() > auth.clock()) }
  })
  auth.log.info('e-mail removed')
  // The removal is final. A failed mail or an address that cannot be decrypted does not undo it,
  // and does not stop the mails to the other addresses.
  const open = (sealed: Uint8Array) =>
    openEmail(auth, sealed).catch((error: unknown) =>
      auth.log.warn({ err: error }, 'no one was notified: an address could not be decrypted'),
    )
  const [to, ...earlier] = await Promise.all(
    [removed.sealed, ...removed.links.map(({ old_sealed }) => old_sealed)].map(open),
  )
  const mails = new Map(earlier.map((each) => [each, undoEndedMail()]))
  mails.set(to, addressRemovedMail())
  await Promise.allSettled(
    [...mails].map(([each, mail]) => each && auth.mailer?.send({ to: each, ...mail })),
  )
  return {}
}

/**
 * Requires a remaining sign-in that is older than the address, at a provider or the passkey that
 * began the account, and a recovery method other than email.
 */
async function requireOtherWays(trx: Kysely<Database>, userId: string): Promise<void> {
  const refuse = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })
  const identity = await selectOlderThanEmail(trx).where('user_id', '=', userId).executeTakeFirst()
  // An account's original mailbox can only be changed, which the mailbox can undo, however the
  // removal was confirmed.
  if (!identity && !(await beganWithPasskey(trx, userId)))
    throw refuse('a sign-in from before the address has to stay')
  const operator = await trx
    .selectFrom('recovery_factors')
    .innerJoin('wallets', 'wallets.id', 'recovery_factors.wallet_id')
    .select('recovery_factors.id')
    .where('wallets.user_id', '=', userId)
    .where('recovery_factors.kind', '=', 'operator')
    .executeTakeFirst()
  if (operator)
    throw refuse('the operator’s help needs the address: remove it under Recovery first')
}
