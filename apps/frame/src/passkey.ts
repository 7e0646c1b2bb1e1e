import { LatchkeyError, type PasskeyAnswer } from '@latchkey/wire'
import { askForPasskey } from './askForPasskey.ts'
import { fromBase64Url, randomBytes, toBase64Url, utf8 } from './wallet/crypto/bytes.ts'

/** A passkey's secret for this wallet, in the format that the key worker expects. */
export type PasskeySecret = {
  kind: 'passkey'
  prf: string
  credentialId: string
  /** When a new passkey was created, so that its owner can tell it from others. */
  label?: string
}

// The input for the PRF; the worker mixes in the rest.
export const salt = utf8('wallet-recovery-v1')
const verifiedFlag = 0x04
const secretBytes = 32

/** Whether passkeys can work here: in a secure context, on a domain name and not an IP address. */
export const hasPasskeySupport = ({ location, isSecureContext }: Window): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  !/^(\d+\.){3}\d+$|^\[/.test(location.hostname)

/** Whether the browser offers passkeys in its form autofill (conditional mediation). */
export const canOfferPasskeys = async (window: Window): Promise<boolean> =>
  hasPasskeySupport(window) &&
  (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

/** A passkey to make. */
export type CreationParameters = {
  /** The name that the user sees next to the passkey: an email address or a name. */
  readonly name: string
  readonly challenge: string
  readonly userHandle: string
  /** Existing passkeys: an authenticator that holds any of them refuses to create another. */
  readonly credentialIds: readonly string[]
}

/** The passkey of a new account. `isProven`: it is also used, to learn if it recovers a wallet. */
export type FirstCreation = CreationParameters & { readonly isProven: boolean }

/** Uses a passkey of the wallet. Throws the errors of {@link createPasskey}. */
export async function getPasskey(credentialIds: readonly string[]): Promise<PasskeySecret> {
  const { assertion } = await getAssertion({
    challenge: toBase64Url(randomBytes(32)),
    credentialIds,
  })
  if (!credentialIds.includes(toText(assertion.rawId))) throw withoutSecret()
  return readPrfSecret(assertion)
}

type AssertionParameters = {
  readonly challenge: string
  /** If empty, the user may choose any passkey. */
  readonly credentialIds: readonly string[]
  /** Offers passkeys in the browser's form autofill, until `signal` ends it. */
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

/**
 * Signs a challenge of the server. `secret`: the passkey's secret for opening a wallet, if it
 * returns one. Throws USER_REJECTED.
 */
export async function signWithPasskey(
  using: AssertionParameters,
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

async function getAssertion({ challenge, credentialIds, ...options }: AssertionParameters) {
  const assertion = await askForPasskey(() =>
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

export const toText = (bytes: ArrayBuffer) => toBase64Url(new Uint8Array(bytes))
export const toDescriptors = (ids: readonly string[]) =>
  ids.map((id) => ({ type: 'public-key' as const, id: fromBase64Url(id) }))

function readPrfSecret(credential: PublicKeyCredential): PasskeySecret {
  const secret = findPrfSecret(credential)
  if (!secret) throw withoutSecret()
  return secret
}

export function findPrfSecret(credential: PublicKeyCredential): PasskeySecret | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first
  const secret = first === undefined ? undefined : toBytes(first)
  if (secret?.length !== secretBytes || secret.every((byte) => byte === 0)) return undefined
  return { kind: 'passkey', prf: toBase64Url(secret), credentialId: toText(credential.rawId) }
}

const toBytes = (source: BufferSource) =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)

export const failed = (reason: string) => new LatchkeyError('RECOVERY_FAILED', { data: { reason } })
export const withoutSecret = () => failed('the passkey gives no secret')
