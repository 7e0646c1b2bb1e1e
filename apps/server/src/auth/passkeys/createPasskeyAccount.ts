import { randomUUID } from 'node:crypto'
import { type createAccountRoute, LatchkeyError, type LoginTokens } from '@latchkey/wire'
import type { Auth } from '../auth.ts'
import { getBrowserName } from '../login/browserName.ts'
import type { ProvenCall } from '../mount.ts'
import { issueTokenPair } from '../session/issueTokens.ts'
import { signIn } from '../session/signIn.ts'
import { takeChallenge } from './passkeyChallenge.ts'
import { insertPasskey, readNewPasskey } from './registerPasskey.ts'

/**
 * Begins an account without an email address, with a new passkey as its sign-in. The session
 * belongs to the device key that has requested the challenge. The limits count only accounts that
 * are made. Throws `PASSKEY_REFUSED`, `LOGIN_THROTTLED`.
 */
export async function createPasskeyAccount(
  auth: Auth,
  { body, jkt, address, userAgent }: ProvenCall<typeof createAccountRoute>,
): Promise<LoginTokens> {
  const { challenge, passkey } = body
  const taken = await takeChallenge(auth, {
    challenge,
    jkt,
    purposes: ['account'],
    sessionId: undefined,
  })
  // The operator may have turned such accounts off since.
  if (auth.config.passkeyAccounts === 'off') throw new LatchkeyError('PASSKEY_REFUSED')
  const credential = await readNewPasskey(auth, { taken, challenge, passkey })
  await auth.accountLimit.take(address)
  const nowMs = auth.clock()
  const created_at = new Date(nowMs)
  const { origin, project_id } = taken
  const tokens = await auth.db.transaction().execute(async (trx) => {
    const id = randomUUID()
    await trx
      .insertInto('users')
      .values({ id, email_index: null, email_sealed: null, created_at, undo_until: null })
      .execute()
    await insertPasskey(trx, { credential, userId: id, beganAccount: true, nowMs })
    const browser = getBrowserName(userAgent)
    const { sessionId, userId, deviceId } = await signIn(trx, {
      login: { jkt, browser, origin, project_id },
      userId: id,
      nowMs,
    })
    const pair = await issueTokenPair(trx, { sessionId, nowMs })
    return { ...pair, userId, deviceId, email: null, stepUpSeconds: 0 }
  })
  auth.log.info('an account began with a passkey')
  return tokens
}
