import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { LatchkeyError } from '@latchkey/wire'
import { signProof } from '../src/auth/signProof.ts'
import { toBase64Url, toBytes } from '../src/wallet/crypto/bytes.ts'
import { createMemoryStore, type KeyStore } from '../src/wallet/keyStore.ts'
import { browserLock, type Lock } from '../src/wallet/vault.ts'
import type { VaultCall } from '../src/wallet/vaultServer.ts'
import { deserializeError } from '../src/wallet/worker/serializeError.ts'
import type { VaultAccess, VaultServer } from './startVault.ts'

export type Proving = Parameters<typeof signProof>[0]

export async function makeSigner(given?: CryptoKeyPair): Promise<Proving> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const pair = given ?? (await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']))
  const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const { kty, crv, x = '', y = '' } = jwk
  return {
    jwk: { kty, crv, x, y },
    sign: async (text: string) => {
      const hash = { name: 'ECDSA', hash: 'SHA-256' }
      const bytes = toBytes(Buffer.from(text))
      return toBase64Url(toBytes(await crypto.subtle.sign(hash, pair.privateKey, bytes)))
    },
  } as unknown as Proving
}

const thumbOf = ({ jwk }: Proving) => {
  const { crv, kty, x, y } = jwk as { crv: string; kty: string; x: string; y: string }
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

type DeviceOptions = {
  readonly userId: string
  readonly store?: KeyStore
  readonly lock?: Lock
  /** The URL of the server, if it may have moved. */
  readonly url?: () => string
  /** Looks at every answer, and may change it. */
  readonly tamper?: (path: string, result: unknown, body: unknown) => unknown
}

/** A browser that is signed in: real proofs of a real key, over HTTP. */
export async function addDevice(
  server: VaultAccess & { readonly url: string },
  options: DeviceOptions,
) {
  const { userId } = options
  const { db, clock } = server
  const signer = await makeSigner()
  const deviceId = randomUUID()
  const sessionId = randomUUID()
  const token = randomBytes(32).toString('base64url')
  const now = new Date(clock())
  const later = new Date(clock() + 20 * 24 * 3_600_000)
  // In one statement: a thousand devices are added.
  await db
    .with('device', (db) =>
      db.insertInto('devices').values({
        id: deviceId,
        user_id: userId,
        jkt: thumbOf(signer),
        name: 'Firefox on Linux',
        browser: 'Firefox on Linux',
        origin: 'http://localhost:3000',
        project_id: 'local',
        created_at: now,
        last_seen_at: now,
        revoked_at: null,
      }),
    )
    .with('session', (db) =>
      db.insertInto('sessions').values({
        id: sessionId,
        user_id: userId,
        device_id: deviceId,
        created_at: now,
        used_at: now,
        ends_at: later,
        ended_at: null,
        recovery_until: later,
      }),
    )
    .with('allowed', (db) =>
      db
        .insertInto('step_ups')
        .values(
          everyAction.map((action) => ({ session_id: sessionId, action, expires_at: later })),
        ),
    )
    .insertInto('session_tokens')
    .values({
      hash: createHash('sha256').update(token).digest(),
      session_id: sessionId,
      kind: 'access',
      expires_at: later,
      used_at: null,
    })
    .execute()

  return openDevice(server, { ...options, deviceId, sessionId, token, signer })
}

type StoredDevice = {
  readonly deviceId: string
  readonly sessionId: string
  readonly token: string
}

/** A browser whose session the server has stored, with the keys that it signed in with. */
export async function openStoredDevice(
  server: Pick<VaultServer, 'url'>,
  { keys, ...device }: DeviceOptions & StoredDevice & { readonly keys: CryptoKeyPair },
) {
  return openDevice(server, { ...device, signer: await makeSigner(keys) })
}

function openDevice(
  server: Pick<VaultServer, 'url'>,
  device: DeviceOptions & StoredDevice & { readonly signer: Proving },
) {
  const { userId, deviceId, sessionId, token, signer } = device
  const { store = createMemoryStore(), lock = browserLock(undefined) } = device
  const { url = () => server.url, tamper = (_: string, result: unknown) => result } = device
  const speaker = createSpeaker({ url, signer, token })
  const prove = createSpeaker({ url, signer, token: undefined })
  const call: VaultCall = async (path, body) => {
    const { status, json } = await speaker(path, body).catch((cause: unknown) => {
      throw new LatchkeyError('OFFLINE', { cause })
    })
    if (status !== 200) throw deserializeError(json as Parameters<typeof deserializeError>[0])
    return tamper(path, json, body)
  }
  return { userId, deviceId, sessionId, token, store, lock, call, ask: speaker, prove }
}

const everyAction = ['add passkey', 'add kit', 'add operator', 'new key', 'delete'] as const

/** As if a code for one more action had been entered. */
export const allow = (
  { db, clock }: VaultAccess,
  { sessionId }: Pick<Device, 'sessionId'>,
  action: string,
) =>
  db
    .insertInto('step_ups')
    .values({ session_id: sessionId, action, expires_at: new Date(clock() + 60_000) })
    .execute()

type Speaking = {
  readonly url: () => string
  readonly signer: Proving
  readonly token: string | undefined
}

/**
 * Creates a client that sends calls with a proof and, if present, the session's token. Returns the
 * status and the unparsed JSON.
 */
export function createSpeaker({ url, signer, token }: Speaking) {
  let nonce = ''
  const post = async (path: string, body: string, headers: Record<string, string>) => {
    const origin = new URL(url()).origin
    const answer = await fetch(`${url()}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', origin, ...headers },
    })
    nonce = answer.headers.get('dpop-nonce') ?? nonce
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
  return async (path: string, given: unknown) => {
    if (nonce === '') nonce = (await post('/api/nonce', '{}', {})).json.nonce as string
    const body = JSON.stringify(given)
    const send = async () => {
      const dpop = await signProof(signer, { path, body, nonce, token })
      return post(path, body, { dpop, ...(token && { authorization: `DPoP ${token}` }) })
    }
    const answer = await send()
    return answer.json.code === 'PROOF_NONCE_NEEDED' ? send() : answer
  }
}

export type Device = Awaited<ReturnType<typeof addDevice>>
