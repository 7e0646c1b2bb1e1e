import { type addEmailRoute, LatchkeyError } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { Auth } from '../auth.ts'
import type { SessionCall } from '../mount.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { advanceChange, findChange, mailChangeCode } from './emailChange.ts'
import { reserveMail } from './reserveMail.ts'

/**
 * Mails a code to the first address of an account, once the user has confirmed exactly this change.
 * After `MAIL_NOT_SENT` it can be called again. Throws `STEP_UP_NEEDED`, `LOGIN_THROTTLED`, and
 * `EMAIL_CHANGE_ENDED` if the account already has an address.
 */
export async function addEmail(
  auth: Auth,
  { body, session, jkt, address }: SessionCall<typeof addEmailRoute>,
): Promise<z.infer<typeof addEmailRoute.result>> {
  const { changeTx } = body
  const change = await findChange(auth, { changeTx, session, steps: ['primary'] })
  if (change.old_index !== null) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
  await requireStepUp(auth, session, `change ${changeTx}`)
  // Not earlier: without the step-up, another person's mailbox could be charged for a mail that is
  // never sent.
  const reservation = await reserveMail(auth, { mailboxes: [change.new_index], jkt, address })
  const confirmed = { ...change, step: 'secondary' as const }
  await reservation.send(() => mailChangeCode(auth, { change: confirmed, session }))
  await advanceChange(auth.db, { change, to: 'secondary' })
  return { action: 'VERIFY_SECONDARY_OTP', resendSeconds: auth.config.mailCooldownSeconds }
}
