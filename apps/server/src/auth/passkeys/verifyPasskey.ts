import {
  LatchkeyError,
  type LoginTokens,
  type PasskeyAnswer,
  type verifyPasskeyRoute,
} from '@latchkey/wire'
import type { Selectable } from 'kysely'
import type { Auth } from '../auth.ts'
import { openOptionalEmail, toSealedEmail } from '../email/sealedEmail.ts'
import { getBrowserName } from '../login/browserName.ts'
import type { ProvenCall } from '../mount.ts'
import { issueTokenPair, renewSession } from '../session/issueTokens.ts'
import { signIn } from '../session/signIn.ts'
import { allowAction, stepUpMs } from '../session/stepUp.ts'
import { needsOlderSignIn } from '../social/identityOwner.ts'
import type { AuthTables } from '../tables.ts'
import { checkPage, getExpectations, takeChallenge } from './passkeyChallenge.ts'
import { readPasskeys, selectPasskeys } from './passkeys.ts'

type Passkey = Selectable<AuthTables['passkeys']>
type Challenge = Awaited<ReturnType<typeof takeChallenge>>

/**
 * Exchanges the response of a passkey for a session, or for a fresh session that may do the action
 * of the challenge. Throws `PASSKEY_REFUSED` for every defect of the response.
 */
export async function verifyPasskey(
  auth: Auth,
  { body, jkt, session, userAgent }: ProvenCall<typeof verifyPasskeyRoute>,
): Promise<LoginTokens> {
  const { challenge, answer } = body
  const purposes = ['login', 'step-up'] as const
  const taken = await takeChallenge(auth, { challenge, jkt, purposes, sessionId: session?.id })
  checkPage(auth, { origin: taken.origin, clientDataJSON: answer.clientDataJSON })
  const own = taken.purpose === 'step-up' ? session : undefined
  const passkey = await findPasskey(auth, { answer, own: own?.userId, challenge: taken })
  const counter = await readCounter(auth, { challenge, origin: taken.origin, answer, passkey })
  const nowMs = auth.clock()
  const { action, origin, project_id } = taken
  const isOlder = (await readPasskeys(auth, passkey.user_id, 'old')).includes(answer.id)
  if (!isOlder && (await needsOlderSignIn(auth.db, { userId: passkey.user_id, action })))
    throw refused()
  const tokens = await auth.db.transaction().execute(async (trx) => {
    // A concurrent response of the same passkey has moved the counter, so a copy of the passkey
    // exists.
    const counted = await trx
      .updateTable('passkeys')
      .set({ counter })
      .where('credential_id', '=', passkey.credential_id)
      .where('counter', '=', passkey.counter)
      .executeTakeFirst()
    if (counted.numUpdatedRows !== 1n) throw refused()
    const browser = getBrowserName(userAgent)
    const { sessionId, userId, deviceId } = own
      ? { sessionId: own.id, ...own }
      : await signIn(trx, {
          login: { jkt, browser, origin, project_id },
          userId: passkey.user_id,
          nowMs,
        })
    if (own) await renewSession(trx, { sessionId, purpose: 'step-up', nowMs })
    if (action !== null)
      await allowAction(trx, { sessionId, action, byPasskey: true, isOlder, nowMs })
    const user = await trx
      .updateTable('users')
      .set({ passkey_lost_at: null })
      .where('id', '=', userId)
      .returning(['email_index', 'email_sealed'])
      .executeTakeFirstOrThrow()
    return {
      ...(await issueTokenPair(trx, { sessionId, nowMs })),
      userId,
      deviceId,
      email: await openOptionalEmail(auth, toSealedEmail(user)),
      stepUpSeconds: action === null ? 0 : stepUpMs / 1000,
    }
  })
  auth.log.info({ purpose: taken.purpose }, 'passkey accepted')
  return tokens
}

type Finding = {
  readonly answer: PasskeyAnswer
  readonly challenge: Challenge
  /** The signed-in user, who must own the passkey. */
  readonly own: string | undefined
}

async function findPasskey({ db }: Auth, { answer, challenge, own }: Finding): Promise<Passkey> {
  const passkey = await selectPasskeys(db)
    .selectAll('passkeys')
    .where('passkeys.credential_id', '=', answer.id)
    .executeTakeFirst()
  if (passkey === undefined) throw refused()
  const handle = Buffer.from(passkey.user_handle).toString('base64url')
  const isLogin = challenge.purpose === 'login'
  // Some authenticators do not name the user. The credential's id and signature then identify the
  // user.
  if ((answer.userHandle || handle) !== handle) throw refused()
  if (!isLogin && passkey.user_id !== own) throw refused()
  return { ...passkey, counter: Number(passkey.counter) }
}

type Answered = {
  readonly challenge: string
  readonly origin: string
  readonly answer: PasskeyAnswer
  readonly passkey: Passkey
}

/** Verifies the signature and everything that it covers; the new counter. */
async function readCounter(
  auth: Auth,
  { answer, passkey, ...expected }: Answered,
): Promise<number> {
  const { id, userHandle: _, ...response } = answer
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...getExpectations(auth, expected),
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      credential: {
        id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    })
    if (verified) return authenticationInfo.newCounter
  } catch (cause) {
    throw new LatchkeyError('PASSKEY_REFUSED', { cause })
  }
  throw refused()
}

const refused = () => new LatchkeyError('PASSKEY_REFUSED')
