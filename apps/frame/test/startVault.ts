import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Inbox, makeDatabase } from '@latchkey/dev'
import { startServer } from '@latchkey/server'
import { LatchkeyError, type StepUpAction } from '@latchkey/wire'
import { signProof } from '../src/session/signProof.ts'
import { toBase64Url, toBytes } from '../src/wallet/crypto/bytes.ts'
import { createMemoryStore, type KeyStore } from '../src/wallet/keyStore.ts'
import { createLock, type Lock } from '../src/wallet/vault.ts'
import type { Call } from '../src/wallet/vaultServer.ts'
import { deserializeError } from '../src/wallet/worker/serializeError.ts'

type Options = {
  readonly env?: Record<string, string>
  readonly clock?: () => number
  readonly log?: NonNullable<Parameters<typeof startServer>[1]>['log']
}

/** A directory that the database's own user can pass through. */
export async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-vault-'))
  await chmod(dir, 0o755)
  return dir
}

/** For {@link startVault}: PostgreSQL in the server's own directory, as without configuration. */
export const nativeDatabase = { DATABASE_URL: '' }

/** A whole real server with a database of its own. */
export async function startVault({ env = {}, clock, log }: Options = {}) {
  const dir = await makeDir()
  const server = await startServer(
    {
      PORT: '0',
      DATA_DIR: dir,
      WEB_DIST: join(dir, 'web'),
      LOG_LEVEL: 'silent',
      DATABASE_TIMEOUT_SECONDS: '30',
      DATABASE_URL: env.DATABASE_URL ?? (await makeDatabase()),
      RATE_LIMIT_BURST: '1000000',
      RATE_LIMIT_PER_SECOND: '1000000',
      ...env,
    },
    { ...(clock && { clock }), ...(log && { log }) },
  )
  const { db } = server.services
  const url = server.frameUrl
  if (!db || !url) throw new Error('A whole server has a database and a frame')
  return {
    db,
    url,
    appUrl: server.url,
    dir,
    databaseUrl: server.services.config.databaseUrl ?? '',
    clock: server.services.clock,
    tick: server.tick,
    stop: server.stop,
    async remove() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
export type VaultServer = Awaited<ReturnType<typeof startVault>>

type Place = Pick<VaultServer, 'db' | 'clock'>

/** A user as a login leaves him. */
export async function addUser({ db, clock }: Place): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('users')
    .values({
      id,
      email_index: randomBytes(32),
      email_sealed: randomBytes(32),
      created_at: new Date(clock()),
      undo_until: null,
    })
    .execute()
  return id
}

type Proving = Parameters<typeof signProof>[0]

async function makeSigner(given?: CryptoKeyPair): Promise<Proving> {
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
  /** Where the server is, when it may have moved. */
  readonly url?: () => string
  /** Looks at every answer, and may change it. */
  readonly tamper?: (path: string, result: unknown, body: unknown) => unknown
}

/** A browser that is signed in: real proofs of a real key, over HTTP. */
export async function addDevice(server: Place & { readonly url: string }, options: DeviceOptions) {
  const { userId } = options
  const { db, clock } = server
  const signer = await makeSigner()
  const deviceId = randomUUID()
  const sessionId = randomUUID()
  const token = randomBytes(32).toString('base64url')
  const now = new Date(clock())
  const later = new Date(clock() + 20 * 24 * 3_600_000)
  await db
    .insertInto('devices')
    .values({
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
    })
    .execute()
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: userId,
      device_id: deviceId,
      created_at: now,
      used_at: now,
      ends_at: later,
      ended_at: null,
      recovery_until: later,
    })
    .execute()
  await db
    .insertInto('step_ups')
    .values(everyAction.map((action) => ({ session_id: sessionId, action, expires_at: later })))
    .execute()
  await db
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
  const { store = createMemoryStore(), lock = createLock() } = device
  const { url = () => server.url, tamper = (_: string, result: unknown) => result } = device
  const speaker = createSpeaker({ url, signer, token })
  const prove = createSpeaker({ url, signer, token: undefined })
  const call: Call = async (path, body) => {
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
  { db, clock }: Place,
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

/** Sends calls with a proof, and the session's token where there is one. Status and JSON as they came. */
function createSpeaker({ url, signer, token }: Speaking) {
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

type MailSession = {
  readonly server: VaultServer
  readonly inbox: Inbox
  readonly email: string
  /** The key of a browser that signs in again. */
  readonly signer?: Proving
  /** Instead of the one in the mail. */
  readonly code?: string
}

/** A browser that has signed in by e-mail, from the first call to its tokens. */
export async function signInDevice({ server, inbox, email, ...given }: MailSession) {
  const signer = given.signer ?? (await makeSigner())
  const url = () => server.url
  const anonymous = createSpeaker({ url, signer, token: undefined })
  const textOf = () => inbox.mails.find(({ to }) => to.includes(email))?.text ?? ''
  const codeOf = () => /^ {4}(\d{6})$/m.exec(textOf())?.[1]
  const origin = server.appUrl
  const asked = await anonymous('/api/login', { email, projectId: 'local', origin })
  if (asked.status !== 200) throw new Error(JSON.stringify(asked.json))
  const begun = asked.json
  const secret = /#([\w-]{22})$/m.exec(textOf())?.[1]
  await anonymous('/api/device-link/approve', { secret, matchCode: begun.matchCode })
  const signedIn = await anonymous('/api/login/verify', {
    tx: begun.tx,
    code: given.code ?? codeOf(),
  })
  if (signedIn.status !== 200) throw new Error(JSON.stringify(signedIn.json))
  const { accessToken, userId, deviceId } = signedIn.json as Record<string, string>
  const speaker = createSpeaker({ url, signer, token: accessToken })
  const call: Call = async (path, body) => {
    const { status, json } = await speaker(path, body)
    if (status !== 200) throw deserializeError(json as Parameters<typeof deserializeError>[0])
    return json
  }
  /** A code of another purpose than the login's; gives the device with the tokens that come with it. */
  const confirm = async (purpose: 'step-up' | 'recovery', action?: StepUpAction) => {
    const start = { projectId: 'local', origin, purpose, action }
    const asked = (await speaker('/api/login', start)).json
    const done = await speaker('/api/login/verify', { tx: asked.tx, code: codeOf() })
    if (done.status !== 200) throw new Error(JSON.stringify(done.json))
    const { accessToken: fresh } = done.json as Record<string, string>
    const next = createSpeaker({ url, signer, token: fresh })
    const callNext: Call = async (path, body) => {
      const { status, json } = await next(path, body)
      if (status !== 200) throw deserializeError(json as Parameters<typeof deserializeError>[0])
      return json
    }
    return { ...device, call: callNext, ask: next }
  }
  const device = {
    userId: userId ?? '',
    deviceId: deviceId ?? '',
    store: createMemoryStore(),
    lock: createLock(),
    call,
    ask: speaker,
    /** The same browser without its session. */
    prove: anonymous,
    signer,
  }
  return { ...device, confirm }
}
export type Device = Awaited<ReturnType<typeof addDevice>>

/** A store that fails as told, or counts. */
export function watchStore(
  store: KeyStore,
  before: (step: 'get' | 'put' | 'delete', key: string) => void,
): KeyStore {
  return {
    ...store,
    get: async (key) => {
      before('get', key)
      return store.get(key)
    },
    put: async (key, value) => {
      before('put', key)
      return store.put(key, value)
    },
    delete: async (key) => {
      before('delete', key)
      return store.delete(key)
    },
  }
}
