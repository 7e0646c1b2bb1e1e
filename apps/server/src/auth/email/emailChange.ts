import { LatchkeyError } from '@latchkey/wire'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import {
  addressInUseMail,
  currentAddressMail,
  firstAddressMail,
  newAddressMail,
} from '../../mail/mailTexts.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import { type CodeBinding, issueCode } from '../codes/codes.ts'
import { requireMailer } from '../login/login.ts'
import type { StoredLogin } from '../session/session.ts'
import { hashToken } from '../session/tokens.ts'
import type { AuthTables } from '../tables.ts'
import { openEmail, requireEmail } from './sealedEmail.ts'

/**
 * A stored change of email in progress. Both addresses are fixed when it begins. The old address is
 * null if the account adds its first address.
 */
export type EmailChange = Selectable<AuthTables['email_changes']>

export const changeLifetimeMs = 30 * 60_000
/** How long a change can be undone, and a new address recovers nothing. */
export const undoMs = 72 * 3_600_000

/**
 * Finds a change by its handle, if this session began it, the user still has the old address (or
 * still no address), and the change is at a step in `steps`. Throws `EMAIL_CHANGE_ENDED`, and
 * `WALLET_NOT_ENROLLED` for a browser that does not hold the wallet.
 */
export async function findChange(
  { db, clock }: Auth,
  parameters: {
    readonly changeTx: string
    readonly session: StoredLogin
    readonly steps: readonly EmailChange['step'][]
  },
): Promise<EmailChange> {
  await requireMayChange(db, parameters.session)
  const change = await db
    .selectFrom('email_changes')
    .selectAll()
    .where('hash', '=', hashToken(parameters.changeTx))
    .where('session_id', '=', parameters.session.id)
    .where('old_index', 'is not distinct from', parameters.session.email?.index ?? null)
    .where('step', 'in', [...parameters.steps])
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  if (change === undefined) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
  return change
}

/**
 * Requires a browser that holds the wallet, if the user has a wallet. A first address requires a
 * wallet. Otherwise an attacker who gets into the account through a provider could leave a mailbox
 * in it, which later recovers the owner's wallet. Throws `WALLET_NOT_ENROLLED`.
 */
export async function requireMayChange(
  db: Kysely<Database>,
  session: Pick<StoredLogin, 'userId' | 'deviceId' | 'email'>,
): Promise<void> {
  await assertDeviceOwnsWallet(db, session)
  if (session.email) return
  const wallet = await db
    .selectFrom('wallets')
    .select('id')
    .where('user_id', '=', session.userId)
    .executeTakeFirst()
  if (!wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
}

/**
 * The binding of the current step's code. Throws `EMAIL_CHANGE_ENDED` if that step has no mailbox.
 */
export function getChangeCode(change: EmailChange, { jkt }: StoredLogin): CodeBinding {
  const { hash, step, old_index, new_index, user_id, session_id } = change
  const emailIndex = step === 'primary' ? old_index : new_index
  if (emailIndex === null) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
  return {
    txHash: hash,
    step,
    purpose: 'email-change',
    emailIndex,
    binding: [user_id, session_id, jkt, Buffer.from(new_index).toString('hex')],
  }
}

/**
 * Mails the code of the current step. If the new address already belongs to another user, a code is
 * created anyway, but that user gets a notice instead of the code.
 */
export async function mailChangeCode(
  auth: Auth,
  { change, session }: { readonly change: EmailChange; readonly session: StoredLogin },
): Promise<void> {
  const mailer = requireMailer(auth)
  const code = await issueCode(auth, getChangeCode(change, session))
  const to = await openEmail(auth, change.new_sealed)
  if (change.step === 'primary') {
    const present = await openEmail(auth, requireEmail(session.email).sealed)
    return mailer.send({ ...currentAddressMail({ code, to }), to: present })
  }
  const inUse = await isInUse(auth.db, { change, nowMs: auth.clock() })
  const mail = change.old_index === null ? firstAddressMail : newAddressMail
  return mailer.send({ to, ...(inUse ? addressInUseMail() : mail({ code, to })) })
}

async function isInUse(
  db: Kysely<Database>,
  { change, nowMs }: { readonly change: EmailChange; readonly nowMs: number },
): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email_index', '=', change.new_index)
    .executeTakeFirst()
  const undo = await db
    .selectFrom('email_undos')
    .select('user_id')
    .where('old_index', '=', change.new_index)
    .where('user_id', '!=', change.user_id)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  return user !== undefined || undo !== undefined
}

/**
 * Moves a change to another step. Of two concurrent callers, only one succeeds. Throws
 * `EMAIL_CHANGE_ENDED`.
 */
export async function advanceChange(
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
