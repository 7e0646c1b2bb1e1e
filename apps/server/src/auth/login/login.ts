import { LatchkeyError } from '@latchkey/wire'
import type { Mailer } from '../../mail/mailer.ts'
import { codeMail, deviceLinkMail } from '../../mail/mailTexts.ts'
import type { Auth } from '../auth.ts'
import { type CodeBinding, codeLifetimeMs, issueCode } from '../codes/codes.ts'
import { openEmail } from '../email/sealedEmail.ts'
import { createHandle, hashToken } from '../session/tokens.ts'
import type { Login } from '../tables.ts'
import { describeAction } from './describeAction.ts'

/** Throws `EMAIL_LOGIN_OFF` if no mail can be sent. */
export function requireMailer({ mailer }: Auth): Mailer {
  if (mailer === undefined) throw new LatchkeyError('EMAIL_LOGIN_OFF')
  return mailer
}

/** The login of a handle, if this device began it and it has not ended. Throws `LOGIN_ENDED`. */
export async function findLogin(
  { db, clock }: Auth,
  { tx, jkt }: { readonly tx: string; readonly jkt: string },
): Promise<Login> {
  const login = await db
    .selectFrom('logins')
    .selectAll()
    .where('hash', '=', hashToken(tx))
    .where('jkt', '=', jkt)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  if (login === undefined) throw new LatchkeyError('LOGIN_ENDED')
  return login
}

/** The binding of a login's code. */
export const getLoginCode = (login: Login): CodeBinding => ({
  txHash: login.hash,
  step: 'login',
  purpose: login.purpose,
  emailIndex: login.email_index,
  binding: [
    login.jkt,
    login.origin,
    login.project_id,
    login.session_id ?? '',
    ...(login.action === null ? [] : [login.action]),
  ],
})

/** Mails a code for a login from an approved or known browser. */
export async function mailCode(auth: Auth, login: Login): Promise<void> {
  const mailer = requireMailer(auth)
  const code = await issueCode(auth, getLoginCode(login))
  const { origin, match_code: matchCode } = login
  const to = await openEmail(auth, login.email_sealed)
  const action = await describeAction(auth.db, login)
  await mailer.send({ to, ...codeMail({ origin, code, matchCode, action }) })
}

/**
 * Whether the mail with the link also has the code: for signing in alone, on a page that shows
 * digits. See decision 48.
 */
export const mailsCodeWithLink = ({ purpose, action, match_code: digits }: Login): boolean =>
  purpose === 'login' && action === null && digits !== ''

/**
 * Mails a link that approves the browser of a login, and perhaps its code; the previous link and
 * code become invalid.
 */
export async function mailLink(auth: Auth, login: Login): Promise<void> {
  const mailer = requireMailer(auth)
  const secret = createHandle()
  const renewed = await auth.db
    .updateTable('logins')
    .set({
      link_hash: hashToken(secret),
      link_tries: 0,
      link_expires_at: new Date(auth.clock() + codeLifetimeMs),
    })
    .where('hash', '=', login.hash)
    .where('approved_at', 'is', null)
    .executeTakeFirst()
  // The browser was approved meanwhile.
  if (renewed.numUpdatedRows === 0n) return mailCode(auth, login)
  // The secret is in the fragment, so that no server, proxy or scanner receives it by fetching the
  // page.
  const link = `${auth.config.frame.url}/device#${secret}`
  const code = mailsCodeWithLink(login) ? await issueCode(auth, getLoginCode(login)) : undefined
  const { origin, browser, match_code: matchCode } = login
  const to = await openEmail(auth, login.email_sealed)
  await mailer.send({ to, ...deviceLinkMail({ origin, browser, link, matchCode, code }) })
}
