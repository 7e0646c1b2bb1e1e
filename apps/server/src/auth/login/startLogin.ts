import { LatchkeyError, type startLoginRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { badInput, noAddress } from '../../http/request/badInput.ts'
import { frameAncestors } from '../../projects/frameAncestors.ts'
import { isTrustedPage } from '../../projects/trustedPages.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import { drawMatchCode } from '../codes/generateCode.ts'
import { normalizeEmail } from '../email/normalizeEmail.ts'
import { reserveMail } from '../email/reserveMail.ts'
import { requireEmail, type SealedEmail, sealEmail } from '../email/sealedEmail.ts'
import { outdatedPage, type ProvenCall } from '../mount.ts'
import type { StoredLogin } from '../session/session.ts'
import { createHandle, hashToken } from '../session/tokens.ts'
import { needsOlderSignIn } from '../social/identityOwner.ts'
import type { Login } from '../tables.ts'
import { getBrowserName } from './browserName.ts'
import { mailCode, mailLink, mailsCodeWithLink, requireMailer } from './login.ts'

const loginLifetimeMs = 30 * 60_000

/**
 * Begins a login: with a link if the browser is new to this mailbox, with a code if it is known.
 * The response and the work depend on that alone, never on whether the address has an account.
 */
export async function startLogin(
  auth: Auth,
  call: ProvenCall<typeof startLoginRoute>,
): Promise<z.infer<typeof startLoginRoute.result>> {
  requireMailer(auth)
  const { body, jkt, address } = call
  const { purpose, projectId, origin } = body
  const action = readAction(body)
  await checkOrigin(auth, { projectId, origin })
  const session = purpose === 'login' ? undefined : requireSession(call.session)
  if (purpose === 'recovery' && session?.undoUntilMs !== undefined) {
    const seconds = Math.ceil((session.undoUntilMs - auth.clock()) / 1000)
    throw new LatchkeyError('RECOVERY_FROZEN', { data: { seconds } })
  }
  // The action of a code needs the wallet, so only a browser of its owner may request mails about
  // it.
  if (session && purpose === 'step-up') await assertDeviceOwnsWallet(auth.db, session, action)
  if (session && (await needsOlderSignIn(auth.db, { userId: session.userId, action })))
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: outdatedPage } })
  const email = session ? requireEmail(session.email) : await sealBodyEmail(auth, body.email)
  const reservation = await reserveMail(auth, { mailboxes: [email.index], jkt, address })
  const knownHash = await findKnownDevice(auth, {
    token: body.knownDevice,
    email,
    projectId,
    origin,
  })
  // The page of a client of the plain envelope shows no digits.
  const isSignIn = purpose === 'login' && action === null
  const isTrusted = isSignIn && (await isTrustedPage(auth.db, { projectId, origin }))
  const known = session !== undefined || knownHash !== undefined
  const tx = createHandle()
  const now = new Date(auth.clock())
  const login: Login = {
    hash: hashToken(tx),
    purpose,
    action,
    email_index: email.index,
    email_sealed: email.sealed,
    session_id: session?.id ?? null,
    jkt,
    origin,
    project_id: projectId,
    browser: getBrowserName(call.userAgent),
    match_code: isTrusted ? '' : drawMatchCode(),
    known_hash: knownHash ?? null,
    link_hash: null,
    link_tries: 0,
    link_expires_at: null,
    approved_at: known ? now : null,
    finished_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + loginLifetimeMs),
  }
  await auth.db.insertInto('logins').values(login).execute()
  await reservation.send(() => (known ? mailCode(auth, login) : mailLink(auth, login)))
  auth.log.info({ purpose, known }, 'login begun')
  const resendSeconds = auth.config.mailCooldownSeconds
  const next = known ? 'VERIFY_OTP' : 'VERIFY_DEVICE'
  const codeInLinkMail = !known && mailsCodeWithLink(login) ? (true as const) : undefined
  const matchCode = login.match_code || undefined
  return { tx, action: next, matchCode, codeInLinkMail, resendSeconds }
}

type StartLoginBody = ProvenCall<typeof startLoginRoute>['body']

/** The action that the code will allow. It is fixed before the mail, because the mail names it. */
function readAction({ purpose, action }: StartLoginBody): string | null {
  const refuse = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })
  if (purpose === 'step-up' && action === undefined) throw refuse(outdatedPage)
  const fits = purpose === 'step-up' || action === undefined || action === 'export'
  if (!fits || (purpose === 'recovery' && action !== undefined))
    throw badInput('action', 'action must belong to the purpose, such as "delete" for "step-up"')
  return action ?? null
}

function requireSession(session: StoredLogin | undefined): StoredLogin {
  if (session === undefined) throw new LatchkeyError('SIGNED_OUT')
  return session
}

async function sealBodyEmail(auth: Auth, text: string | undefined): Promise<SealedEmail> {
  const email = normalizeEmail(text ?? '')
  if (email === undefined) throw badInput('email', noAddress('email'), 'EMAIL_INVALID')
  if (!requireMailer(auth).takes(email)) throw new LatchkeyError('EMAIL_NOT_TAKEN')
  return sealEmail(auth, email)
}

/**
 * The hash of a known-device token, if it was issued to the owner of this address for this origin
 * and project, and is still valid.
 */
async function findKnownDevice(
  { db, clock }: Auth,
  parameters: {
    readonly token: string | undefined
    readonly email: SealedEmail
    readonly projectId: string
    readonly origin: string
  },
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .innerJoin('devices', 'devices.id', 'known_devices.device_id')
    .select('known_devices.hash')
    .where('known_devices.hash', '=', hashToken(parameters.token ?? ''))
    .where('devices.revoked_at', 'is', null)
    .where('users.email_index', '=', parameters.email.index)
    .where('known_devices.origin', '=', parameters.origin)
    .where('known_devices.project_id', '=', parameters.projectId)
    .where('known_devices.expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  return row?.hash
}

/**
 * Throws `ORIGIN_NOT_ALLOWED` unless pages of `origin` may hold the frame of this project, or
 * `origin` is the frame's own.
 */
export async function checkOrigin(
  auth: Pick<Auth, 'projects' | 'config'>,
  { projectId, origin }: { readonly projectId: string; readonly origin: string },
): Promise<void> {
  const ancestors = await frameAncestors(auth, projectId)
  // To export a phrase, the user signs in on the frame's own page.
  const known = ancestors.length > 0 && origin === auth.config.frame.url
  if (!known && !ancestors.includes(origin)) throw new LatchkeyError('ORIGIN_NOT_ALLOWED')
}
