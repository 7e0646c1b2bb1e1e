import { LatchkeyError } from '@latchkey/wire'
import type { Selectable } from 'kysely'
import { codeLetter, deviceLinkLetter } from '../mail/letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Auth } from './auth.ts'
import type { Budget } from './budgets.ts'
import { type CodeOf, codeLifetimeMs, issueCode } from './codes.ts'
import { openEmail } from './sealedEmail.ts'
import type { AuthTables } from './tables.ts'
import { drawHandle, hashOf } from './tokens.ts'

/** A login under way, as kept. */
export type Login = Selectable<AuthTables['logins']>

const hourMs = 3_600_000

/** Throws `EMAIL_LOGIN_OFF` where no mail can be sent. */
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
    .where('hash', '=', hashOf(tx))
    .where('jkt', '=', jkt)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  if (login === undefined) throw new LatchkeyError('LOGIN_ENDED')
  return login
}

/** What the code of a login is bound to. */
export const codeOfLogin = (login: Login): CodeOf => ({
  txHash: login.hash,
  step: 'login',
  purpose: login.purpose,
  emailIndex: login.email_index,
  binding: [login.jkt, login.origin, login.project_id, login.session_id ?? ''],
})

/** How often a mail may be asked for: by mailbox and browser, mailbox and address, mailbox, address. */
export async function mailBudgets(
  { secrets, config }: Auth,
  asked: { readonly emailIndex: Uint8Array; readonly jkt: string; readonly address: string },
): Promise<Budget[]> {
  const mailbox = Buffer.from(asked.emailIndex).toString('hex')
  const subject = (...parts: string[]) => secrets.mac('budget', JSON.stringify(parts))
  const once = [{ limit: 1, ms: config.mailCooldownSeconds * 1000 }]
  return [
    { scope: 'mail browser', subject: await subject(mailbox, asked.jkt), windows: once },
    { scope: 'mail place', subject: await subject(mailbox, asked.address), windows: once },
    {
      scope: 'mail mailbox',
      subject: asked.emailIndex,
      windows: [
        { limit: 5, ms: hourMs },
        { limit: 10, ms: 24 * hourMs },
      ],
    },
    {
      scope: 'mail address',
      subject: await subject(asked.address),
      windows: [{ limit: 20, ms: hourMs }],
    },
  ]
}

/** The budget of all mails together, so that nobody can have the server send for others. */
export async function requireMailRoom({ kv, log, config }: Auth): Promise<void> {
  const { mailsPerHour } = config
  const bucket = { capacity: mailsPerHour, refillPerSecond: mailsPerHour / 3600 }
  // While the kv is away the limits of each mailbox and address still hold: those are in the database.
  const take = await kv.take('mail:all', bucket).catch(() => undefined)
  if (take === undefined) log.warn('the limit of all mails was not applied')
  if (take === undefined || take.allowed) return
  log.error('the limit of all mails is reached')
  const seconds = Math.ceil(take.retryAfterSeconds)
  throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds } })
}

/** Mails a code for a login whose browser is approved or known. */
export async function mailCode(auth: Auth, login: Login): Promise<void> {
  const mailer = requireMailer(auth)
  const code = await issueCode(auth, codeOfLogin(login))
  const { origin, match_code: matchCode } = login
  const to = await openEmail(auth, login.email_sealed)
  await mailer.send({ to, ...codeLetter({ origin, code, matchCode }) })
}

/** Mails a link that approves the browser of a login; the one before is worth nothing any more. */
export async function mailLink(auth: Auth, login: Login): Promise<void> {
  const mailer = requireMailer(auth)
  const secret = drawHandle()
  await auth.db
    .updateTable('logins')
    .set({
      link_hash: hashOf(secret),
      link_tries: 0,
      link_expires_at: new Date(auth.clock() + codeLifetimeMs),
    })
    .where('hash', '=', login.hash)
    .where('approved_at', 'is', null)
    .execute()
  // In the fragment: no server, proxy or scanner gets it by fetching the page.
  const link = `${auth.config.frame.url}/device#${secret}`
  const { origin, browser } = login
  const to = await openEmail(auth, login.email_sealed)
  await mailer.send({ to, ...deviceLinkLetter({ origin, browser, link }) })
}
