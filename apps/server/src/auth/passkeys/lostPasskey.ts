import type { reportLostPasskeyRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { passkeyLostMail } from '../../mail/mailTexts.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import { openEmail } from '../email/sealedEmail.ts'
import type { SessionCall } from '../mount.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { lostDelayMs } from './passkeys.ts'

/**
 * Records that the owner cannot use a passkey, so that codes are enough again a day later.
 * Reporting it again does not restart the wait. Sends a mail to the mailbox. Using a passkey in the
 * meantime cancels the report. Throws `STEP_UP_NEEDED`, `WALLET_NOT_ENROLLED`.
 */
export async function reportLostPasskey(
  auth: Auth,
  { session }: SessionCall<typeof reportLostPasskeyRoute>,
): Promise<z.infer<typeof reportLostPasskeyRoute.result>> {
  await assertDeviceOwnsWallet(auth.db, session)
  await requireStepUp(auth, session, 'lost passkey')
  const now = new Date(auth.clock())
  const { lost, isNew } = await auth.db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select('passkey_lost_at')
      .where('id', '=', session.userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const before = user.passkey_lost_at
    const isOpen = before !== null && now.getTime() - before.getTime() < lostDelayMs
    if (isOpen) return { lost: before, isNew: false }
    await trx
      .updateTable('users')
      .set({ passkey_lost_at: now })
      .where('id', '=', session.userId)
      .execute()
    return { lost: now, isNew: true }
  })
  if (isNew && session.email && auth.mailer)
    await auth.mailer.send({
      ...passkeyLostMail(),
      to: await openEmail(auth, session.email.sealed),
    })
  return { codesFromMs: lost.getTime() + lostDelayMs }
}
