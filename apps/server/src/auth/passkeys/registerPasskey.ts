import { LatchkeyError, type registerPasskeyRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
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
  const { origin, user_handle } = taken
  checkPage(auth, { origin, clientDataJSON: passkey.clientDataJSON })
  const credential = await readCredential(auth, { challenge, origin, passkey })
  if (credential === undefined || user_handle === null) throw new LatchkeyError('PASSKEY_REFUSED')
  const inserted = await auth.db
    .insertInto('passkeys')
    .values({
      credential_id: credential.id,
      user_id: session.userId,
      user_handle,
      public_key: credential.publicKey,
      counter: credential.counter,
      created_at: new Date(auth.clock()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new LatchkeyError('PASSKEY_REFUSED')
  auth.log.info('a passkey was registered')
  return {}
}

type Registering = Pick<z.infer<typeof registerPasskeyRoute.body>, 'challenge' | 'passkey'> & {
  readonly origin: string
}

async function readCredential(auth: Auth, { passkey, ...expected }: Registering) {
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
function assertNoCertificate({ attestationObject }: Registering['passkey']): void {
  if (!uncertified.test(Buffer.from(attestationObject, 'base64url').toString('hex')))
    throw new LatchkeyError('PASSKEY_REFUSED')
}
