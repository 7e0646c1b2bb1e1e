import { LatchkeyError, type NewPasskey, type PasskeyAnswer } from '@latchkey/wire'
import { fromBase64Url, randomBytes, toBase64Url, utf8 } from './wallet/crypto/bytes.ts'

/** A passkey's secret for this wallet, as the key worker expects it. */
export type PasskeySecret = {
  kind: 'passkey'
  prf: string
  credentialId: string
  /** When a new one was made, for its owner to tell it from others. */
  label?: string
}

// The input for the PRF; the worker mixes in the rest.
const salt = utf8('wallet-recovery-v1')
const algorithms = [-7, -257].map((alg) => ({ type: 'public-key', alg }) as const)
const verifiedFlag = 0x04
const secretBytes = 32

/** Whether passkeys can work here: in a secure context, on a domain name and not an IP address. */
export const canUsePasskeys = ({ location, isSecureContext }: Window): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  !/^(\d+\.){3}\d+$|^\[/.test(location.hostname)

/** Whether the browser offers passkeys where it fills in forms (conditional mediation). */
export const canOfferPasskeys = async (window: Window): Promise<boolean> =>
  canUsePasskeys(window) && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

type Creating = {
  /** What the user sees beside the passkey: an e-mail address or a name. */
  readonly name: string
  readonly challenge: string
  readonly userHandle: string
  /** Passkeys of which no second one is made in the same place. */
  readonly credentialIds: readonly string[]
}

/**
 * Creates a passkey that can protect a wallet. It counts once it has given the same secret twice, at least once by being used. Throws
 * RECOVERY_FAILED if it does not, USER_REJECTED if the user stops.
 */
export async function createPasskey({
  name,
  challenge,
  userHandle,
  credentialIds,
}: Creating): Promise<{ secret: PasskeySecret; passkey: NewPasskey }> {
  if (await isWithoutSecrets()) throw withoutSecret()
  const created = await ask(() =>
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
  try {
    return { passkey, secret: await tryPasskey(created, id) }
  } catch (error) {
    await forgetPasskey(id)
    throw error
  }
}

/** The secret of a new passkey. Some give it only when they are used, others only while they are made. */
async function tryPasskey(created: PublicKeyCredential, id: string): Promise<PasskeySecret> {
  const isLate = created.getClientExtensionResults().prf?.enabled === true
  const first = findPrfSecret(created) ?? (isLate ? await getPasskey([id]) : undefined)
  if (!first) throw withoutSecret()
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

/** Has the place of a passkey that opens nothing delete or hide it, if the browser can. */
async function forgetPasskey(credentialId: string): Promise<void> {
  const unknown = { rpId: window.location.hostname, credentialId }
  await newer()
    .signalUnknownCredential?.(unknown)
    .catch(() => {})
}

/** Uses one of the wallet's passkeys. Throws as {@link createPasskey}. */
export async function getPasskey(credentialIds: readonly string[]): Promise<PasskeySecret> {
  const { assertion } = await getAssertion({
    challenge: toBase64Url(randomBytes(32)),
    credentialIds,
  })
  if (!credentialIds.includes(toText(assertion.rawId))) throw withoutSecret()
  return readPrfSecret(assertion)
}

type Using = {
  readonly challenge: string
  /** Empty: whichever passkey the user chooses. */
  readonly credentialIds: readonly string[]
  /** Offers passkeys where the browser fills in forms, until `signal` ends it. */
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

/** Signs a challenge of the server. `secret`: what the passkey opens a wallet with, if it tells it. Throws USER_REJECTED. */
export async function signWithPasskey(
  using: Using,
): Promise<{ answer: PasskeyAnswer; secret: PasskeySecret | undefined }> {
  const { assertion, response } = await getAssertion(using)
  const { userHandle } = response
  return {
    answer: {
      id: toText(assertion.rawId),
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(userHandle && { userHandle: toText(userHandle) }),
    },
    secret: findPrfSecret(assertion),
  }
}

async function getAssertion({ challenge, credentialIds, ...options }: Using) {
  const assertion = await ask(() =>
    navigator.credentials.get({
      ...options,
      publicKey: {
        challenge: fromBase64Url(challenge),
        userVerification: 'required',
        allowCredentials: toDescriptors(credentialIds),
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const response = assertion.response as AuthenticatorAssertionResponse
  const flags = new Uint8Array(response.authenticatorData)[32] ?? 0
  if ((flags & verifiedFlag) === 0) throw withoutSecret()
  return { assertion, response }
}

const toText = (bytes: ArrayBuffer) => toBase64Url(new Uint8Array(bytes))
const toDescriptors = (ids: readonly string[]) =>
  ids.map((id) => ({ type: 'public-key' as const, id: fromBase64Url(id) }))

async function ask(work: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const found = await work()
    if (found instanceof PublicKeyCredential) return found
  } catch (cause) {
    throw new LatchkeyError('USER_REJECTED', { cause })
  }
  throw new LatchkeyError('USER_REJECTED')
}

function readPrfSecret(credential: PublicKeyCredential): PasskeySecret {
  const secret = findPrfSecret(credential)
  if (!secret) throw withoutSecret()
  return secret
}

function findPrfSecret(credential: PublicKeyCredential): PasskeySecret | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first
  const secret = first === undefined ? undefined : toBytes(first)
  if (secret?.length !== secretBytes || secret.every((byte) => byte === 0)) return undefined
  return { kind: 'passkey', prf: toBase64Url(secret), credentialId: toText(credential.rawId) }
}

const toBytes = (source: BufferSource) =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)

const failed = (reason: string) => new LatchkeyError('RECOVERY_FAILED', { data: { reason } })
const withoutSecret = () => failed('the passkey gives no secret')
