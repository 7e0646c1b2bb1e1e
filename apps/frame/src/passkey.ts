import { LatchkeyError } from '@latchkey/wire'
import { fromBase64Url, randomBytes, toBase64Url, utf8 } from './wallet/crypto/bytes.ts'

/** A passkey's secret for this wallet, as the key worker expects it. */
export type PasskeySecret = { kind: 'passkey'; prf: string; credentialId: string }

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

/**
 * Creates a passkey that can protect a wallet. Throws RECOVERY_FAILED if it gives no secret, USER_REJECTED if the
 * user stops.
 */
export async function createPasskey(email: string): Promise<PasskeySecret> {
  const created = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: 'Latchkey' },
        user: { id: randomBytes(16), name: email, displayName: email },
        challenge: randomBytes(32),
        pubKeyCredParams: [...algorithms],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const { prf } = created.getClientExtensionResults()
  // Some tell the secret only when the passkey is used.
  if (prf?.enabled && !prf.results) return getPasskey([toBase64Url(new Uint8Array(created.rawId))])
  return readPrfSecret(created)
}

/** Uses one of the wallet's passkeys. Throws as {@link createPasskey}. */
export async function getPasskey(credentialIds: readonly string[]): Promise<PasskeySecret> {
  const assertion = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(32),
        userVerification: 'required',
        allowCredentials: credentialIds.map((id) => ({
          type: 'public-key',
          id: fromBase64Url(id),
        })),
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const id = toBase64Url(new Uint8Array(assertion.rawId))
  const { authenticatorData } = assertion.response as AuthenticatorAssertionResponse
  const flags = new Uint8Array(authenticatorData)[32] ?? 0
  if (!credentialIds.includes(id) || (flags & verifiedFlag) === 0) throw withoutSecret()
  return readPrfSecret(assertion)
}

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
  const first = credential.getClientExtensionResults().prf?.results?.first
  const secret = first === undefined ? undefined : toBytes(first)
  if (secret?.length !== secretBytes || secret.every((byte) => byte === 0)) throw withoutSecret()
  const credentialId = toBase64Url(new Uint8Array(credential.rawId))
  return { kind: 'passkey', prf: toBase64Url(secret), credentialId }
}

const toBytes = (source: BufferSource) =>
  source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)

const withoutSecret = () =>
  new LatchkeyError('RECOVERY_FAILED', { data: { reason: 'the passkey gives no secret' } })
