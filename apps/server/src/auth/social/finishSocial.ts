import {
  type finishSocialRoute,
  LatchkeyError,
  type LoginTokens,
  type SocialRefusal,
} from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import { openOptionalEmail, toSealedEmail } from '../email/sealedEmail.ts'
import type { ProvenCall } from '../mount.ts'
import { issueTokenPair, renewSession } from '../session/issueTokens.ts'
import type { StoredLogin } from '../session/session.ts'
import { type SignedIn, signIn } from '../session/signIn.ts'
import { allowAction, stepUpMs } from '../session/stepUp.ts'
import { hashToken } from '../session/tokens.ts'
import type { SocialLogin } from '../tables.ts'
import { waitFor } from '../waitFor.ts'
import { askFarcaster } from './farcaster/askFarcaster.ts'
import { openName } from './identities.ts'
import {
  type Found,
  findOrCreateUser,
  findOwner,
  insertIdentity,
  needsOlderSignIn,
  type Owned,
  precedesEmail,
} from './identityOwner.ts'

/** How often Farcaster's relay is polled. */
const relayEveryMs = 1_000
/**
 * How often the end of a window is reported to a caller that does not acknowledge it. Repeating
 * covers lost responses.
 */
const maxStraysTold = 5

/**
 * Waits for the provider's response and the confirmation of its window, at most 20 s, and exchanges
 * it for tokens, once: only with the device key that began the login. The user of a new identity is
 * created here; the provider's email address does not matter. Reports once if the window has ended
 * without a response to this login. Throws `LOGIN_ENDED`.
 */
export async function finishSocial(
  auth: Auth,
  call: ProvenCall<typeof finishSocialRoute>,
): Promise<z.infer<typeof finishSocialRoute.result>> {
  const { body, jkt, session } = call
  const login = await awaitOutcome(auth, call)
  if (login === undefined) return {}
  if (login.outcome === null) return tellStray(auth, call)
  if (login.session_id !== null && login.session_id !== session?.id)
    throw new LatchkeyError('LOGIN_ENDED')
  const own = login.session_id === null ? undefined : session
  const nowMs = auth.clock()
  const result = await auth.db.transaction().execute(async (trx) => {
    const finished = await trx
      .updateTable('social_logins')
      .set({ finished_at: new Date(nowMs) })
      .where('hash', '=', hashToken(body.tx))
      .where('jkt', '=', jkt)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (finished.numUpdatedRows !== 1n) throw new LatchkeyError('LOGIN_ENDED')
    if (!isFound(login))
      return {
        refused: login.outcome === 'refused' ? ('not allowed' as const) : ('failed' as const),
      }
    const issued = await issueTokens(auth, trx, { login, own, nowMs })
    if (issued.tokens && login.purpose === 'link') {
      const { userId: subject, deviceId } = issued.tokens
      const detail = { provider: login.provider }
      await auth.audit(trx, { subject, deviceId, action: 'sign-in added', detail })
    }
    return issued
  })
  const { refused } = result
  auth.log.info({ purpose: login.purpose, provider: login.provider, refused }, 'social login ended')
  return result
}

/**
 * Reports that the window has ended without a response to this login. A caller that never
 * acknowledges the report is a frame of an older version. It would poll forever, so the login
 * fails; its user sees the error and can begin again.
 */
async function tellStray(
  auth: Auth,
  { body, jkt }: ProvenCall<typeof finishSocialRoute>,
): Promise<z.infer<typeof finishSocialRoute.result>> {
  const open = auth.db
    .updateTable('social_logins')
    .where('hash', '=', hashToken(body.tx))
    .where('jkt', '=', jkt)
    .where('finished_at', 'is', null)
    .where('outcome', 'is', null)
  const told = await open
    .set(({ eb }) => ({ strays_told: eb('strays_told', '+', 1) }))
    .where('strays_told', '<', maxStraysTold)
    .executeTakeFirst()
  if (told.numUpdatedRows === 1n) return { strayed: true }
  const ended = await open.set({ finished_at: new Date(auth.clock()) }).executeTakeFirst()
  // Otherwise the login's own response has arrived in the meantime.
  return ended.numUpdatedRows === 1n ? { refused: 'failed' } : {}
}

const isFound = (login: SocialLogin): login is Found =>
  login.outcome === 'done' && login.identity_index !== null && login.name_sealed !== null

async function awaitOutcome(
  auth: Auth,
  { body, jkt, signal, address }: ProvenCall<typeof finishSocialRoute>,
): Promise<SocialLogin | undefined> {
  let relayAtMs = 0
  return waitFor({ ...auth, signal, address }, async () => {
    const login = await auth.db
      .selectFrom('social_logins')
      .selectAll()
      .where('hash', '=', hashToken(body.tx))
      .where('jkt', '=', jkt)
      .where('finished_at', 'is', null)
      .where('expires_at', '>', new Date(auth.clock()))
      .executeTakeFirst()
    if (login === undefined) throw new LatchkeyError('LOGIN_ENDED')
    // Only the browser that signed in at the provider may learn the response, also if it is an
    // error.
    const isStray = login.strayed_at !== null && body.strayed === undefined
    if ((login.outcome !== null || isStray) && login.confirmed_at !== null) return login
    if (login.channel_sealed !== null && performance.now() >= relayAtMs) {
      await askFarcaster(auth, login)
      relayAtMs = performance.now() + relayEveryMs
    }
    return undefined
  })
}

type Result = { readonly tokens?: LoginTokens; readonly refused?: SocialRefusal }
type Finishing = {
  readonly login: Found
  readonly own: StoredLogin | undefined
  readonly nowMs: number
}

async function issueTokens(
  auth: Auth,
  trx: Kysely<Database>,
  { login, own, nowMs }: Finishing,
): Promise<Result> {
  const { action } = login
  const refused = own && (await refuse(trx, { login, userId: own.userId, nowMs }))
  if (refused) return { refused }
  const signed: SignedIn = own
    ? { sessionId: own.id, userId: own.userId, deviceId: own.deviceId }
    : await signIn(trx, { login, userId: await findOrCreateUser(trx, login, nowMs), nowMs })
  const { sessionId, userId, deviceId } = signed
  if (own) await renewSession(trx, { sessionId, purpose: 'step-up', nowMs })
  if (action !== null) {
    const isOlder = await precedesEmail(trx, login)
    await allowAction(trx, { sessionId, action, isOlder, nowMs })
  }
  const user = await trx
    .selectFrom('users')
    .select(['email_index', 'email_sealed'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const userName = await openName(auth, login.name_sealed)
  const tokens = {
    ...(await issueTokenPair(trx, { sessionId, nowMs })),
    userId,
    deviceId,
    email: await openOptionalEmail(auth, toSealedEmail(user)),
    ...(userName !== '' && { userName }),
    stepUpSeconds: action === null ? 0 : stepUpMs / 1000,
  }
  return { tokens }
}

/**
 * Links an identity to a signed-in user, or checks that it belongs to the user. Returns the reason
 * if it is refused.
 */
async function refuse(
  trx: Kysely<Database>,
  owned: Owned & { readonly nowMs: number },
): Promise<SocialRefusal | undefined> {
  const isLink = owned.login.purpose === 'link'
  if (isLink && (await insertIdentity(trx, owned))) return undefined
  const owner = await findOwner(trx, owned.login)
  const { userId, login } = owned
  const needsOlder = await needsOlderSignIn(trx, { userId, action: login.action })
  const isEnough = !needsOlder || (await precedesEmail(trx, login))
  if (owner?.user_id === owned.userId && isEnough) return undefined
  return isLink ? 'in use' : 'other account'
}
