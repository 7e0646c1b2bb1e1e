import { randomUUID } from 'node:crypto'
import {
  LatchkeyError,
  type finishSocial as route,
  type SocialRefusal,
  type Tokens,
} from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import { openOptionalEmail, toSealedEmail } from '../email/sealedEmail.ts'
import { pause } from '../login/awaitDevice.ts'
import type { ProvenCall } from '../mount.ts'
import { issueTokenPair, renewSession } from '../session/issueTokens.ts'
import type { Session } from '../session/session.ts'
import { type SignedIn, signIn } from '../session/signIn.ts'
import { allowAction, stepUpMs } from '../session/stepUp.ts'
import { hashToken } from '../session/tokens.ts'
import type { SocialLogin } from '../tables.ts'
import { askFarcaster } from './farcaster/askFarcaster.ts'
import { openName } from './identities.ts'

const waitMs = 20_000
/** How often Farcaster's relay is asked. */
const relayEveryMs = 1_000

type Found = SocialLogin & { readonly identity_index: Uint8Array; readonly name_sealed: Uint8Array }

/**
 * Waits for the provider's answer and the confirmation of its window, at most 20 s, and exchanges it for tokens, once: only with the device key that began the login.
 * The user of a new identity is created here, whatever e-mail address the provider knows. Throws `LOGIN_ENDED`.
 */
export async function finishSocial(
  auth: Auth,
  call: ProvenCall<typeof route>,
): Promise<z.infer<typeof route.result>> {
  const { body, jkt, session } = call
  const login = await awaitOutcome(auth, call)
  if (login === undefined) return {}
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

const isFound = (login: SocialLogin): login is Found =>
  login.outcome === 'done' && login.identity_index !== null && login.name_sealed !== null

async function awaitOutcome(
  auth: Auth,
  { body, jkt, signal }: ProvenCall<typeof route>,
): Promise<SocialLogin | undefined> {
  const ending = AbortSignal.any([signal, auth.stopping])
  const endsAt = performance.now() + waitMs
  let relayAtMs = 0
  for (;;) {
    const login = await auth.db
      .selectFrom('social_logins')
      .selectAll()
      .where('hash', '=', hashToken(body.tx))
      .where('jkt', '=', jkt)
      .where('finished_at', 'is', null)
      .where('expires_at', '>', new Date(auth.clock()))
      .executeTakeFirst()
    if (login === undefined) throw new LatchkeyError('LOGIN_ENDED')
    // Whatever the answer is: only the browser that signed in at the provider may learn it.
    if (login.outcome !== null && login.confirmed_at !== null) return login
    if (login.channel_sealed !== null && performance.now() >= relayAtMs) {
      await askFarcaster(auth, login)
      relayAtMs = performance.now() + relayEveryMs
    }
    if (ending.aborted || performance.now() >= endsAt) return undefined
    await pause(ending)
  }
}

type Result = { readonly tokens?: Tokens; readonly refused?: SocialRefusal }
type Finishing = {
  readonly login: Found
  readonly own: Session | undefined
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
  if (action !== null) await allowAction(trx, { sessionId, action, nowMs })
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

const findOwner = (trx: Kysely<Database>, { identity_index }: Found) =>
  trx
    .selectFrom('identities')
    .select('user_id')
    .where('identity_index', '=', identity_index)
    .executeTakeFirst()

/** The user of an identity: nothing but issuer and subject counts. Two first logins at once get one user. */
async function findOrCreateUser(
  trx: Kysely<Database>,
  login: Found,
  nowMs: number,
): Promise<string> {
  const known = await findOwner(trx, login)
  if (known) {
    const { name_sealed, identity_index } = login
    await trx
      .updateTable('identities')
      .set({ name_sealed })
      .where('identity_index', '=', identity_index)
      .execute()
    return known.user_id
  }
  const userId = randomUUID()
  const created_at = new Date(nowMs)
  await trx
    .insertInto('users')
    .values({ id: userId, email_index: null, email_sealed: null, created_at, undo_until: null })
    .execute()
  if (await insertIdentity(trx, { login, userId, nowMs })) return userId
  await trx.deleteFrom('users').where('id', '=', userId).execute()
  const other = await findOwner(trx, login)
  if (other === undefined) throw new LatchkeyError('LOGIN_ENDED')
  return other.user_id
}

type Owned = { readonly login: Found; readonly userId: string }

async function insertIdentity(
  trx: Kysely<Database>,
  { login, userId, nowMs }: Owned & { readonly nowMs: number },
): Promise<boolean> {
  const { identity_index, name_sealed, provider } = login
  const id = randomUUID()
  const created_at = new Date(nowMs)
  const inserted = await trx
    .insertInto('identities')
    .values({ id, identity_index, user_id: userId, provider, name_sealed, created_at })
    .onConflict((conflict) => conflict.column('identity_index').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Links an identity to a signed-in user, or checks that it belongs to the user. Returns the reason if it is refused. */
async function refuse(
  trx: Kysely<Database>,
  owned: Owned & { readonly nowMs: number },
): Promise<SocialRefusal | undefined> {
  const isLink = owned.login.purpose === 'link'
  if (isLink && (await insertIdentity(trx, owned))) return undefined
  const owner = await findOwner(trx, owned.login)
  if (owner?.user_id === owned.userId) return undefined
  return isLink ? 'in use' : 'other account'
}
