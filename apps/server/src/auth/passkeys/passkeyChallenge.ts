import { LatchkeyError, parseBoundedJson } from '@latchkey/wire'
import type { Selectable } from 'kysely'
import * as z from 'zod'
import type { Auth } from '../auth.ts'
import { hashToken } from '../session/tokens.ts'
import type { AuthTables } from '../tables.ts'

type Challenge = Selectable<AuthTables['passkey_challenges']>

type Taking = {
  readonly challenge: string
  readonly jkt: string
  readonly purposes: readonly Challenge['purpose'][]
  /** The session of the call; a challenge of a session is taken by that session alone. */
  readonly sessionId: string | undefined
}

/**
 * Takes a challenge before anything is compared, so that it can be answered only once, even
 * wrongly. Throws `PASSKEY_REFUSED` if it is unknown, expired, or for another device key, session
 * or purpose.
 */
export async function takeChallenge(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  { challenge, jkt, purposes, sessionId }: Taking,
): Promise<Challenge> {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashToken(challenge))
    .returningAll()
    .executeTakeFirst()
  const fits =
    taken !== undefined &&
    taken.expires_at.getTime() > clock() &&
    taken.jkt === jkt &&
    purposes.includes(taken.purpose) &&
    (taken.session_id === null || taken.session_id === sessionId)
  if (!fits) throw new LatchkeyError('PASSKEY_REFUSED')
  return taken
}

const clientData = z.object({
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
})

/**
 * Checks in which page a passkey was used (WebAuthn level 3, `CollectedClientData`): in the frame
 * inside the page that the challenge names, or on the frame's own page. Safari sends no
 * `topOrigin`; then it is enough that the frame was embedded. Throws `PASSKEY_REFUSED`.
 */
export function checkPage(
  { config }: Pick<Auth, 'config'>,
  { origin, clientDataJSON }: { readonly origin: string; readonly clientDataJSON: string },
): void {
  const parsed = clientData.safeParse(parseJson(clientDataJSON))
  const { crossOrigin = false, topOrigin } = parsed.data ?? {}
  const isEmbedded = origin !== config.frame.url
  const fits = parsed.success && crossOrigin === isEmbedded && (topOrigin ?? origin) === origin
  if (!fits) throw new LatchkeyError('PASSKEY_REFUSED')
}

function parseJson(base64Url: string): unknown {
  try {
    return parseBoundedJson(Buffer.from(base64Url, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * The expected values of every passkey response: our origin, our host and the challenge, with the
 * user verified.
 */
export const getExpectations = (
  { config }: Pick<Auth, 'config'>,
  { challenge, origin }: { readonly challenge: string; readonly origin: string },
) => ({
  expectedChallenge: challenge,
  expectedOrigin: config.frame.url,
  expectedTopOrigin: origin,
  expectedRPID: new URL(config.frame.url).hostname,
  requireUserVerification: true,
})
