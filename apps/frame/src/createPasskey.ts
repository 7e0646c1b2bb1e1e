import { isError, type NewPasskey } from '@latchkey/wire'
import { askForPasskey } from './askForPasskey.ts'
import {
  type CreationParameters,
  type FirstCreation,
  failed,
  findPrfSecret,
  getPasskey,
  type PasskeySecret,
  salt,
  toDescriptors,
  toText,
  withoutSecret,
} from './passkey.ts'
import { fromBase64Url } from './wallet/crypto/bytes.ts'

const algorithms = [-7, -257].map((alg) => ({ type: 'public-key', alg }) as const)

/**
 * Creates a passkey that can protect a wallet. It counts once it has given the same secret twice,
 * at least once by being used. Throws RECOVERY_FAILED if it does not, USER_REJECTED if the user
 * stops.
 */
export async function createPasskey(
  creating: CreationParameters,
): Promise<{ secret: PasskeySecret; passkey: NewPasskey }> {
  if (await isWithoutSecrets()) throw withoutSecret()
  const { created, passkey } = await askForNewPasskey(creating)
  try {
    return { passkey, secret: await tryPasskey(created, passkey.id) }
  } catch (error) {
    await forgetPasskey(passkey.id)
    throw error
  }
}

/**
 * Creates the passkey of a new account: with one prompt, or with those that show if it can protect
 * a wallet. If it cannot, it still signs in, and there is no `secret`. Throws USER_REJECTED if the
 * user stops.
 */
export async function createFirstPasskey({
  isProven,
  ...creating
}: FirstCreation): Promise<{ secret?: PasskeySecret | undefined; passkey: NewPasskey }> {
  const { created, passkey } = await askForNewPasskey(creating)
  if (!isProven) return { passkey }
  try {
    return { passkey, secret: await tryPasskey(created, passkey.id) }
  } catch (error) {
    if (isError(error, 'RECOVERY_FAILED')) return { passkey }
    await forgetPasskey(passkey.id)
    throw error
  }
}

/**
 * Uses an existing passkey, which counts as recovery under the same condition as a new one. Throws
 * the errors of {@link createPasskey}.
 */
export async function provePasskey(id: string): Promise<PasskeySecret> {
  if (await isWithoutSecrets()) throw withoutSecret()
  return compareSecrets(id, await getPasskey([id]))
}

async function askForNewPasskey({
  name,
  challenge,
  userHandle,
  credentialIds,
}: CreationParameters): Promise<{ created: PublicKeyCredential; passkey: NewPasskey }> {
  const created = await askForPasskey(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: 'Latchkey' },
        user: { id: fromBase64Url(userHandle), name, displayName: name },
        challenge: fromBase64Url(challenge),
        pubKeyCredParams: [...algorithms],
        excludeCredentials: toDescriptors(credentialIds),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const response = created.response as AuthenticatorAttestationResponse
  const id = toText(created.rawId)
  const passkey = {
    id,
    clientDataJSON: toText(response.clientDataJSON),
    attestationObject: toText(response.attestationObject),
  }
  return { created, passkey }
}

/**
 * The secret of a new passkey. Some give it only when they are used, others only while they are
 * made.
 */
async function tryPasskey(created: PublicKeyCredential, id: string): Promise<PasskeySecret> {
  const isLate = created.getClientExtensionResults().prf?.enabled === true
  const first = findPrfSecret(created) ?? (isLate ? await getPasskey([id]) : undefined)
  if (!first) throw withoutSecret()
  return compareSecrets(id, first)
}

async function compareSecrets(id: string, first: PasskeySecret): Promise<PasskeySecret> {
  const again = await getPasskey([id])
  if (again.prf !== first.prf) throw failed('the passkey gives another secret each time')
  return first
}

type Newer = {
  getClientCapabilities?(): Promise<Readonly<Record<string, boolean | undefined>>>
  signalUnknownCredential?(unknown: { rpId: string; credentialId: string }): Promise<void>
}
const newer = () => PublicKeyCredential as unknown as Newer

/** Whether the browser reports that it supports no passkey with a secret. */
const isWithoutSecrets = async () =>
  (await newer().getClientCapabilities?.())?.['extension:prf'] === false

/**
 * Has the authenticator delete or hide a passkey that opens nothing, if the browser supports this.
 */
async function forgetPasskey(credentialId: string): Promise<void> {
  const unknown = { rpId: window.location.hostname, credentialId }
  await newer()
    .signalUnknownCredential?.(unknown)
    .catch(() => {})
}
