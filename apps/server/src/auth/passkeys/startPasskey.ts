import { randomBytes } from 'node:crypto'
import { LatchkeyError, type startPasskeyRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { badInput } from '../../http/request/badInput.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import { consumeLimits } from '../codes/rateLimits.ts'
import { checkOrigin } from '../login/startLogin.ts'
import type { ProvenCall } from '../mount.ts'
import { readFirstFactor } from '../session/firstFactor.ts'
import type { StoredLogin } from '../session/session.ts'
import { requireStepUp } from '../session/stepUp.ts'
import { createToken, hashToken } from '../session/tokens.ts'
import { needsOlderSignIn } from '../social/identityOwner.ts'
import { needsPasskey, readPasskeys } from './passkeys.ts'

const lifetimeMs = 5 * 60_000
const hourMs = 3_600_000

type Call = ProvenCall<typeof startPasskeyRoute>

/**
 * Issues a challenge for one purpose. Registering has the requirements of adding a recovery method,
 * and an action is confirmed only in a browser that holds the wallet. A passkey alone begins an
 * account only if the operator allows it. Throws `SIGNED_OUT`, `STEP_UP_NEEDED`,
 * `WALLET_NOT_ENROLLED`, `LOGIN_THROTTLED`, `INVALID_PARAMS`.
 */
export async function startPasskey(
  auth: Auth,
  call: Call,
): Promise<z.infer<typeof startPasskeyRoute.result>> {
  const { body, jkt } = call
  const { purpose, projectId, origin } = body
  const action = readAction(body)
  await checkOrigin(auth, { projectId, origin })
  const isSignedIn = purpose === 'register' || purpose === 'step-up'
  const session = isSignedIn ? requireSession(call.session) : undefined
  if (session) await assertDeviceOwnsWallet(auth.db, session, action)
  if (session && purpose === 'register' && (await needsStepUp(auth, session)))
    await requireStepUp(auth, session, 'add passkey')
  // A browser with a passkey of the wallet in use, or of the account, must not create a second
  // passkey. A passkey of the user's other wallet does not recover this wallet, so it is not
  // excluded.
  const which = purpose === 'register' ? 'current' : await findWhich(auth, { session, action })
  const credentialIds = session ? await readPasskeys(auth, session.userId, which) : []
  await takeStart(auth, call)
  if (purpose === 'account') await checkAccount(auth, call)
  const challenge = createToken()
  const isNew = purpose === 'register' || purpose === 'account'
  const userHandle = isNew ? randomBytes(32) : undefined
  await auth.db
    .insertInto('passkey_challenges')
    .values({
      hash: hashToken(challenge),
      purpose,
      action,
      jkt,
      session_id: session?.id ?? null,
      origin,
      project_id: projectId,
      user_handle: userHandle ?? null,
      expires_at: new Date(auth.clock() + lifetimeMs),
    })
    .execute()
  return {
    challenge,
    credentialIds,
    isCodeEnough: !session || !(await needsPasskey(auth, session.userId, which)),
    ...(userHandle && { userHandle: userHandle.toString('base64url') }),
  }
}

/**
 * As with codes, a step-up has an action, and a login may have the action of the export page. The
 * loss of a passkey is confirmed by a code alone.
 */
function readAction({ purpose, action }: Call['body']): string | null {
  const valid =
    purpose === 'step-up'
      ? action !== undefined && action !== 'lost passkey'
      : action === undefined || (purpose === 'login' && action === 'export')
  if (!valid)
    throw badInput('action', 'action must belong to the purpose, such as "delete" for "step-up"')
  return action ?? null
}

/** Refuses before the user makes a passkey that the server would not take. */
async function checkAccount(
  { config, accountLimit }: Auth,
  { address }: Pick<Call, 'address'>,
): Promise<void> {
  if (config.passkeyAccounts === 'off')
    throw badInput('purpose', 'this server makes no accounts with a passkey alone')
  await accountLimit.check(address)
}

type Asking = { readonly session: StoredLogin | undefined; readonly action: string | null }

/** The passkeys that confirm an action. */
async function findWhich({ db }: Auth, { session, action }: Asking): Promise<'all' | 'old'> {
  const needsOlder = session && (await needsOlderSignIn(db, { userId: session.userId, action }))
  return needsOlder ? 'old' : 'all'
}

function requireSession(session: StoredLogin | undefined): StoredLogin {
  if (session === undefined) throw new LatchkeyError('SIGNED_OUT')
  return session
}

/** A passkey needs no confirmation before the wallet is made, or just after that. */
async function needsStepUp(auth: Auth, session: StoredLogin): Promise<boolean> {
  const wallet = await auth.db
    .selectFrom('wallets')
    .select('id')
    .where('user_id', '=', session.userId)
    .executeTakeFirst()
  return wallet !== undefined && (await readFirstFactor(auth, session)) === undefined
}

/**
 * 60 an hour from one browser, 240 from one address. Logins have a separate budget: a frame
 * requests a login challenge whenever a page loads the frame, and a page must not use up the
 * challenges for confirmations that way. Strangers begin accounts, which count as logins.
 */
async function takeStart(
  { db, secrets, clock }: Auth,
  { body, jkt, address }: Pick<Call, 'body' | 'jkt' | 'address'>,
): Promise<void> {
  const isLogin = body.purpose === 'login' || body.purpose === 'account'
  const scope = isLogin ? 'passkey login' : 'passkey'
  const budget = async (sender: 'browser' | 'address', text: string, limit: number) => ({
    scope: `${scope} ${sender}`,
    subject: await secrets.mac('budget', JSON.stringify([text])),
    windows: [{ limit, ms: hourMs }],
  })
  await consumeLimits(db, {
    budgets: [await budget('browser', jkt, 60), await budget('address', address, 240)],
    nowMs: clock(),
  })
}
