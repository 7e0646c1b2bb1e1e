import { LatchkeyError, type addEmail as route } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { Auth } from '../auth.ts'
import type { SessionCall } from '../mount.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { advanceChange, findChange, mailChangeCode } from './emailChange.ts'

/**
 * Mails a code to the first address of an account, once the user has confirmed exactly this change. Throws `STEP_UP_NEEDED`, and
 * `EMAIL_CHANGE_ENDED` where there is an address already.
 */
export async function addEmail(
  auth: Auth,
  { body, session }: SessionCall<typeof route>,
): Promise<z.infer<typeof route.result>> {
  const { changeTx } = body
  const change = await findChange(auth, { changeTx, session, steps: ['primary'] })
  if (change.old_index !== null) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
  await requireStepUp(auth, session, `change ${changeTx}`)
  await advanceChange(auth.db, { change, to: 'secondary' })
  await mailChangeCode(auth, { change: { ...change, step: 'secondary' }, session })
  return { action: 'VERIFY_SECONDARY_OTP', resendSeconds: auth.config.mailCooldownSeconds }
}
