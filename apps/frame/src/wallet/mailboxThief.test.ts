import { type Inbox, startInbox } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow } from '../../test/addDevice.ts'
import { createDurableStore } from '../../test/migration/twoWallets.ts'
import { signInDevice } from '../../test/signInDevice.ts'
import { startVault, type VaultServer } from '../../test/startVault.ts'
import { signProof } from '../auth/signProof.ts'
import { randomBytes, toBase64Url } from './crypto/bytes.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

/*
 * A thief who can read the owner's email and has nothing else. The thief can sign in repeatedly,
 * with many browsers, and change their mind after every answer.
 */
const minute = 60_000
const day = 24 * 60 * minute
const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
let inbox: Inbox
beforeAll(async () => {
  inbox = await startInbox({ smtpPort: 0, port: 0 })
  const env = { SMTP_URL: inbox.smtpUrl, TRUST_PROXY: '1' }
  server = await startVault({ clock: () => time.nowMs, env })
})
afterAll(async () => {
  await server?.remove()
  await inbox?.stop()
})

type Browser = Awaited<ReturnType<typeof signInDevice>>
const list = '/api/recovery/operator/list'
const cancel = '/api/recovery/operator/cancel'
const origin = () => server.appUrl
const newest = (email: string) => inbox.mails.find(({ to }) => to.includes(email))?.text ?? ''
const waiting = async ({ prove }: Browser) =>
  (await prove(list, {})).json.recoveries as { id: string; readyAtMs: number }[]

async function signIn(email: string, more: Pick<Browser, 'signer'> | object = {}) {
  time.nowMs += minute
  return signInDevice({ server, inbox, email, ...more })
}

/** The owner's browser, with a wallet that the operator helps to recover. */
async function makeOwner(email: string) {
  const owner = await signIn(email)
  const work = createKeyWork(owner)
  const { addresses } = await work.create({ factors: [{ kind: 'operator' }] })
  return { owner, work, addresses }
}

/**
 * Runs a thief's browser from the link in the email to a code for recovery, and returns the
 * server's response.
 */
async function askOperator(thief: Browser) {
  time.nowMs += minute
  const confirmed = await thief.confirm('recovery').catch(() => thief)
  const { json } = await confirmed.ask('/api/recovery/operator/start', {})
  return { id: json.id as string, code: json.code, data: json.data }
}

test('error: a thief of the mailbox signs out no browser that holds the wallet, nor takes its name', async () => {
  const email = 'stays@example.com'
  const { owner, work, addresses } = await makeOwner(email)
  const thief = await signIn(email)
  const takings = [
    ['/api/session/end', { everywhere: true }],
    ['/api/session/end', { everywhere: true, forget: true }],
    ['/api/email/change', { to: 'thief@example.com' }],
    ['/api/devices/rename', { id: owner.deviceId, name: 'Stolen' }],
    ['/api/devices/rename', { id: thief.deviceId, name: 'My phone' }],
    ['/api/devices/revoke', { id: owner.deviceId }],
    ['/api/login', { projectId: 'local', origin: origin(), purpose: 'step-up', action: 'delete' }],
  ] as const
  for (const [path, body] of takings)
    expect([path, (await thief.ask(path, body)).json.code]).toEqual([path, 'WALLET_NOT_ENROLLED'])
  expect((await owner.ask('/api/me', {})).status).toBe(200)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
  // A second request does not make the thief's browser a better known one.
  const again = await signIn(email, { signer: thief.signer })
  expect((await again.ask('/api/session/end', { everywhere: true })).status).toBe(403)
  // The owner signs the thief out.
  expect((await owner.ask('/api/session/end', { everywhere: true })).status).toBe(200)
  expect((await again.ask('/api/me', {})).status).toBe(401)
})

test('error: a reader of the old mailbox can undo the change, but signs out no device of the wallet', async () => {
  const email = 'moved@example.com'
  const { owner } = await makeOwner(email)
  const thief = await signIn(email)
  time.nowMs += minute
  const to = 'safe@example.com'
  const { changeTx } = (await owner.ask('/api/email/change', { to })).json
  const code = (of: string) => /^ {4}(\d{6})$/m.exec(newest(of))?.[1]
  await owner.ask('/api/email/primary', { changeTx, code: code(email) })
  const changed = await owner.ask('/api/email/secondary', { changeTx, code: code(to) })
  expect(changed.json).toEqual({ newEmail: to })
  expect((await thief.ask('/api/me', {})).status).toBe(401)
  const secret = /\/undo#([\w-]{22})$/m.exec(newest(email))?.[1]
  expect((await thief.prove('/api/email/undo', { secret })).status).toBe(200)
  expect((await owner.ask('/api/me', {})).json).toMatchObject({ email })
})

test('error: undoing a change of address signs out browsers that hold only the old wallet', async () => {
  const email = 'left@example.com'
  const to = 'next@example.com'
  const owner = await signIn(email)
  const work = createKeyWork({ ...owner, store: createDurableStore() })
  const [oldKit, kit] = [createRecoveryKit(), createRecoveryKit()]
  await work.create({ factors: [{ kind: 'kit', kit: oldKit }] })
  const { id: sessionId } = await server.db
    .selectFrom('sessions')
    .select('id')
    .where('device_id', '=', owner.deviceId)
    .executeTakeFirstOrThrow()
  await allow(server, { sessionId }, 'fresh wallet')
  await work.createReplacement({ kit })
  await work.migrate({ kit })
  time.nowMs += minute
  const { changeTx } = (await owner.ask('/api/email/change', { to })).json
  const code = (of: string) => /^ {4}(\d{6})$/m.exec(newest(of))?.[1]
  await owner.ask('/api/email/primary', { changeTx, code: code(email) })
  await owner.ask('/api/email/secondary', { changeTx, code: code(to) })
  const secret = /\/undo#([\w-]{22})$/m.exec(newest(email))?.[1]
  const left = await signIn(to)
  await createKeyWork(left).recover({ secret: { kind: 'kit', kit: oldKit } })
  expect((await left.ask('/api/me', {})).status).toBe(200)
  expect((await left.prove('/api/email/undo', { secret })).status).toBe(200)
  expect((await left.ask('/api/me', {})).status).toBe(401)
  expect((await owner.ask('/api/me', {})).status).toBe(200)
})

test('error: a thief who uses up every mail, code and turn uses up nothing of the owner', async () => {
  const email = 'busy@example.com'
  const { owner } = await makeOwner(email)
  const thief = await signIn(email)
  const place = { projectId: 'local', origin: origin() }
  const deviceKey = toBase64Url(randomBytes(65))
  const refused: unknown[] = []
  const tryAll = async () => {
    await thief.prove('/api/login', { ...place, email })
    // New browsers, with right digits and wrong codes, until no mail and no code is left.
    for (let count = 0; count < 6; count++) {
      time.nowMs += minute
      await signInDevice({ server, inbox, email, code: `00000${count}` }).catch(() => {})
    }
  }
  for (let hour = 0; hour < 24; hour += 4) {
    time.nowMs += 4 * 60 * minute
    await tryAll()
    const back = await signInDevice({ server, inbox, email, signer: owner.signer }).catch(String)
    if (typeof back === 'string') refused.push([hour, back])
  }
  expect(refused).toEqual([])
  await expect(signInDevice({ server, inbox, email })).rejects.toThrow('LOGIN_THROTTLED')
  const late = await signIn(email, { signer: owner.signer })
  const again = await signIn(email, { signer: thief.signer })
  for (const [path, body, count] of [
    ['/api/share', {}, 35],
    ['/api/recovery/shares', { deviceKey }, 5],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: count }, () => again.ask(path, body)))
    expect(answers.some(({ json }) => json.code === 'RATE_LIMITED')).toBe(true)
  }
  expect((await late.ask('/api/share', {})).status).toBe(200)
})

test('behavior: a browser lists and stops a recovery with only its key; a stop lasts a week', async () => {
  const email = 'veto@example.com'
  const { owner } = await makeOwner(email)
  await owner.ask('/api/session/end', {})
  expect((await owner.ask('/api/me', {})).status).toBe(401)
  const thief = await signIn(email)
  const { id } = await askOperator(thief)
  time.nowMs += 30 * minute
  const other = await signIn(email)
  const second = await askOperator(other)
  expect((await waiting(owner)).map((each) => each.id)).toEqual([id, second.id])
  // Neither the thief nor a stranger can stop it or see it.
  const stranger = await signIn('stranger@example.com')
  for (const { prove } of [thief, stranger]) {
    expect((await prove(list, {})).json).toEqual({ recoveries: [] })
    expect((await prove(cancel, { id })).json.code).toBe('WALLET_NOT_ENROLLED')
  }
  expect((await owner.prove(cancel, { id: 'f'.repeat(32) })).status).toBe(404)
  const { proof, send } = await signStop(owner, id)
  // The proof is of this recovery, by this key, once.
  expect((await send(proof, { id: second.id })).code).toBe('PROOF_INVALID')
  expect((await send(proof, { id })).code).toBeUndefined()
  expect((await send(proof, { id })).code).toBe('PROOF_INVALID')
  expect(await waiting(owner)).toEqual([])

  // A browser that continues, a browser that forgets itself, a browser that removes itself, and a
  // new browser.
  const comeBack = (signer: Browser['signer']) => {
    time.nowMs += 30 * minute
    return signIn(email, { signer })
  }
  const one = await comeBack(thief.signer)
  expect((await askOperator(one)).code).toBe('RECOVERY_STOPPED')
  await (await comeBack(other.signer)).ask('/api/session/end', { forget: true })
  expect((await askOperator(await comeBack(other.signer))).code).toBe('RECOVERY_STOPPED')
  const gone = await comeBack(thief.signer)
  await gone.ask('/api/devices/revoke', { id: gone.deviceId })
  expect((await askOperator(await comeBack(thief.signer))).code).toBe('RECOVERY_STOPPED')
  expect((await askOperator(await signIn(email))).code).toBe('RECOVERY_STOPPED')
  time.nowMs += 6 * day
  const late = await signIn(email)
  expect(await askOperator(late)).toMatchObject({ code: 'RECOVERY_STOPPED', data: { days: 1 } })
  time.nowMs += day
  expect((await askOperator(await signIn(email))).code).toBeUndefined()
  expect(await waiting(owner)).toHaveLength(1)
  // A stop needs the id of the recovery, which must not belong to another user's wallet.
  const elsewhere = await makeOwner('elsewhere@example.com')
  const [theirs] = await waiting(owner)
  expect((await elsewhere.owner.prove(cancel, { id: theirs?.id })).status).toBe(404)
  expect(await waiting(owner)).toHaveLength(1)
})

/** Signs a stop with the browser's key, to be sent with any body. */
async function signStop({ signer }: Browser, id: string) {
  const path = cancel
  const headers = { 'content-type': 'application/json', origin: server.url }
  const post = async (at: string, body: string, more: object) => {
    const init = { method: 'POST', body, headers: { ...headers, ...more } }
    const answer = await fetch(`${server.url}${at}`, init)
    return (await answer.json()) as { code?: string; nonce: string }
  }
  const { nonce } = await post('/api/nonce', '{}', {})
  const body = JSON.stringify({ id })
  const proof = await signProof(signer, { path, body, nonce, token: undefined })
  return {
    proof,
    send: (dpop: string, given: object) => post(path, JSON.stringify(given), { dpop }),
  }
}

test('error: a code does what its mail names, and nothing else', async () => {
  const email = 'one@example.com'
  const { owner, addresses } = await makeOwner(email)
  const kit = { kind: 'kit' as const, kit: createRecoveryKit() }
  const del = ['/api/delete', { confirm: 'delete my wallet' }] as const
  // The code that it signed in with is for signing in.
  expect((await owner.ask(...del)).json.code).toBe('STEP_UP_NEEDED')
  time.nowMs += minute
  const confirmed = await owner.confirm('step-up', 'add kit')
  expect(newest(email)).toContain(
    `Add a printed kit that recovers your wallet ${addresses.eip155}.`,
  )
  expect((await confirmed.ask(...del)).json.code).toBe('STEP_UP_NEEDED')
  const key = { kind: 'passkey' as const, prf: toBase64Url(randomBytes(32)), credentialId: 'AAAA' }
  await expect(createKeyWork(confirmed).addFactor({ factor: key })).rejects.toThrow('Confirm')
  await createKeyWork(confirmed).addFactor({ factor: kit })
  const { wallet } = (await confirmed.ask('/api/wallet', {})).json as {
    wallet: { factors: { id: string; kind: string }[] }
  }
  const factor = wallet.factors.find(({ kind }) => kind === 'kit')?.id ?? ''
  const remove = ['/api/recovery/factors/remove', { id: factor }] as const
  time.nowMs += minute
  // For another one it does not count, and of none there is no mail.
  const start = { projectId: 'local', origin: origin(), purpose: 'step-up' }
  const none = await confirmed.ask('/api/login', { ...start, action: `remove ${'0'.repeat(32)}` })
  expect(none.json.code).toBe('VAULT_NOT_FOUND')
  time.nowMs += minute
  const older = await confirmed.ask('/api/login', start)
  expect(older.json.reasons).toMatchObject([{ description: expect.stringContaining('Reload it') }])
  const removing = await owner.confirm('step-up', `remove ${factor}`).catch(() => undefined)
  expect(removing).toBeUndefined()
  expect((await confirmed.ask(...remove)).json.code).toBe('STEP_UP_NEEDED')
})
