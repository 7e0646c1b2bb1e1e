import { LatchkeyError, type NewPasskey, type registerPasskeyRoute } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import type { SessionCall } from '../mount.ts'
import { checkPage, getExpectations, takeChallenge } from './passkeyChallenge.ts'

/** ES256 and RS256 (COSE). */
const algorithms = [-7, -257]

/** Stores the public key of a new passkey. Throws `PASSKEY_REFUSED`. */
export async function registerPasskey(
  auth: Auth,
  { body, jkt, session }: SessionCall<typeof registerPasskeyRoute>,
): Promise<z.infer<typeof registerPasskeyRoute.result>> {
  const { challenge, passkey } = body
  const taken = await takeChallenge(auth, {
    challenge,
    jkt,
    purposes: ['register'],
    sessionId: session.id,
  })
  const credential = await readNewPasskey(auth, { taken, challenge, passkey })
  const { userId } = session
  await insertPasskey(auth.db, { credential, userId, beganAccount: false, nowMs: auth.clock() })
  auth.log.info('a passkey was registered')
  return {}
}

type Registering = {
  /** The challenge as it was stored. */
  readonly taken: Awaited<ReturnType<typeof takeChallenge>>
  readonly challenge: string
  readonly passkey: NewPasskey
}
type Credential = Awaited<ReturnType<typeof readNewPasskey>>

/** Verifies the response of a new passkey to a challenge. Throws `PASSKEY_REFUSED`. */
export async function readNewPasskey(auth: Auth, { taken, challenge, passkey }: Registering) {
  const { origin, user_handle: userHandle } = taken
  checkPage(auth, { origin, clientDataJSON: passkey.clientDataJSON })
  const credential = await readCredential(auth, { challenge, origin, passkey })
  if (credential === undefined || userHandle === null) throw new LatchkeyError('PASSKEY_REFUSED')
  return { ...credential, userHandle }
}

type Inserting = {
  readonly credential: Credential
  readonly userId: string
  readonly beganAccount: boolean
  readonly nowMs: number
}

/** Inserts the public key of a passkey. Throws `PASSKEY_REFUSED` if it is known already. */
export async function insertPasskey(
  trx: Kysely<Database>,
  { credential, userId, beganAccount, nowMs }: Inserting,
): Promise<void> {
  const inserted = await trx
    .insertInto('passkeys')
    .values({
      credential_id: credential.id,
      user_id: userId,
      user_handle: credential.userHandle,
      public_key: credential.publicKey,
      counter: credential.counter,
      began_account: beganAccount,
      created_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new LatchkeyError('PASSKEY_REFUSED')
}

type Reading = Omit<Registering, 'taken'> & { readonly origin: string }

async function readCredential(auth: Auth, { passkey, ...expected }: Reading) {
  const { id, ...response } = passkey
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    assertNoCertificate(passkey)
    const { expectedTopOrigin: _, ...expectations } = getExpectations(auth, expected)
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectations,
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      supportedAlgorithmIDs: algorithms,
    })
    return registrationInfo?.credential
  } catch (cause) {
    throw new LatchkeyError('PASSKEY_REFUSED', { cause })
  }
}

/**
 * The first bytes (CBOR, in hex) of a passkey without an attestation, and of a passkey whose own
 * key signs its attestation with ES256 or RS256.
 */
const uncertified =
  /^a363666d74(646e6f6e656761747453746d74a0|667061636b65646761747453746d74a263616c67(26|390100)63736967)/

/**
 * Throws `PASSKEY_REFUSED` if a certificate attests the passkey. The frame requests no attestation,
 * so browsers send none, or a signature of the passkey itself. The check of a certificate would
 * fetch the lists of revoked certificates whose addresses it contains.
 */
function assertNoCertificate({ attestationObject }: NewPasskey): void {
  if (!uncertified.test(Buffer.from(attestationObject, 'base64url').toString('hex')))
    throw new LatchkeyError('PASSKEY_REFUSED')
}
