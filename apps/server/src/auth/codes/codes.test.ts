import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { soak } from '@latchkey/dev/soak'
import { isError } from '@latchkey/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  codeIn,
  createAuthClient,
  type Reply,
  reachCode,
  signIn,
  wrongFor,
} from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { makeTestDir } from '../../../test/startTestServer.ts'
import { createFileKeyring, openFileKeyring } from '../../vault/kms/fileKeyring.ts'
import { lookupSecrets } from '../../vault/kms/lookupSecrets.ts'
import { createAuth } from '../auth.ts'
import { hashToken } from '../session/tokens.ts'
import { sweepAuth } from '../sweepAuth.ts'
import { type CodeBinding, consumeCode, issueCode } from './codes.ts'
import { drawMatchCode, generateCode } from './generateCode.ts'
import { consumeLimit } from './rateLimits.ts'

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
})
afterAll(() => started?.stop())

const newClient = () => createAuthClient(started.server)
const codes = (replies: readonly Reply[]) => {
  const counts: Record<string, number> = {}
  for (const { code = 'OK' } of replies) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
const minute = 60_000

test('wrong codes in a day: of many wrong codes over 100 codes, only 30 are compared', async () => {
  const { server, time } = started
  const keyring = await makeTestDir()
  await createFileKeyring(keyring)
  const auth = await createAuth({
    audit: async () => {},
    ...server.services,
    clock: () => time.nowMs,
    secrets: lookupSecrets(await openFileKeyring(keyring)),
    mailer: undefined,
    mailLimit: { take: async () => {} },
    accountLimit: { check: async () => {}, take: async () => {} },
    stopping: new AbortController().signal,
  })
  const emailIndex = randomBytes(32)
  const counts: Record<string, number> = {}
  const perHour: number[] = []
  const startMs = time.nowMs
  const triesPerCode = soak(100, 4)
  for (let round = 0; round < 100; round += 1) {
    time.nowMs = startMs + round * 14 * minute
    const of: CodeBinding = {
      txHash: randomBytes(32),
      step: 'login',
      purpose: 'login',
      emailIndex,
      binding: [String(round)],
    }
    const wrong = wrongFor(await issueCode(auth, of))
    const tries = Array.from({ length: triesPerCode }, () =>
      consumeCode(auth, { of, code: wrong, jkt: 'some key' }, async () => 'in').catch(
        (error: unknown) => (isError(error) ? error.code : String(error)),
      ),
    )
    for (const outcome of await Promise.all(tries)) {
      counts[outcome] = (counts[outcome] ?? 0) + 1
      if (outcome === 'CODE_WRONG') perHour.push(time.nowMs)
    }
  }
  expect(counts.in).toBeUndefined()
  expect(counts.CODE_WRONG).toBe(30)
  expect((counts.CODE_THROTTLED ?? 0) + (counts.CODE_USED_UP ?? 0)).toBe(100 * triesPerCode - 30)
  for (const atMs of perHour) {
    const within = (ms: number) => perHour.filter((at) => at > atMs - ms && at <= atMs).length
    expect(within(15 * minute)).toBeLessThanOrEqual(6)
    expect(within(60 * minute)).toBeLessThanOrEqual(15)
  }
})

test('wrong codes in a day: sessions stay, and even the right code is refused after too many wrong ones', async () => {
  const { inbox, time } = started
  const client = await newClient()
  const { knownDevice } = await signIn(client, inbox, 'row1@example.com')
  const seen: Reply[] = []
  for (let login = 0; login < 3; login += 1) {
    time.nowMs += 31_000
    const tx = await reachCode(client, inbox, 'row1@example.com', { knownDevice })
    const code = codeIn(inbox, 'row1@example.com')
    for (let one = 0; one < 3; one += 1)
      seen.push(await client.call('/api/login/verify', { tx, code: wrongFor(code) }))
    if (login === 2) seen.push(await client.call('/api/login/verify', { tx, code }))
  }
  expect(codes(seen)).toEqual({ CODE_WRONG: 6, CODE_THROTTLED: 4 })
  const { seconds } = seen.at(-1)?.body.data ?? {}
  expect(seen.at(-1)?.headers.get('retry-after')).toBe(String(seconds))
  expect(seconds).toBeGreaterThan(800)
  expect(seconds).toBeLessThanOrEqual(900)
  expect((await client.ask('/api/me')).status).toBe(200)
})

test('one code at once: of 50 right codes at once one makes a session', async () => {
  const { inbox, server } = started
  const client = await newClient()
  const tx = await reachCode(client, inbox, 'row2@example.com')
  const code = codeIn(inbox, 'row2@example.com')
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => client.call('/api/login/verify', { tx, code })),
  )
  expect(codes(replies).OK).toBe(1)
  const tokens = replies.find(({ status }) => status === 200)?.body
  const sessions = await server.services.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', tokens.userId)
    .execute()
  expect(sessions).toHaveLength(1)
})

test('wrong codes at once: of 50 wrong codes at once three are compared, and the counter says three', async () => {
  const { inbox, server } = started
  const client = await newClient()
  const tx = await reachCode(client, inbox, 'row3@example.com')
  const code = wrongFor(codeIn(inbox, 'row3@example.com'))
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => client.call('/api/login/verify', { tx, code })),
  )
  expect(codes(replies)).toEqual({ CODE_WRONG: 3, CODE_USED_UP: 47 })
  const row = await server.services.db
    .selectFrom('codes')
    .select('attempts')
    .where('tx_hash', '=', hashToken(tx))
    .executeTakeFirst()
  expect(row).toEqual({ attempts: 3 })
})

test('spent codes: a code works once, not after another was sent, and for ten minutes', async () => {
  const { inbox, time } = started
  const verify = (tx: string, code: string) => client.call('/api/login/verify', { tx, code })
  const client = await newClient()

  const used = await reachCode(client, inbox, 'row4@example.com')
  const usedCode = codeIn(inbox, 'row4@example.com')
  expect((await verify(used, usedCode)).status).toBe(200)
  expect((await verify(used, usedCode)).code).toBe('LOGIN_ENDED')

  time.nowMs += 30_000
  const resent = await reachCode(client, inbox, 'row4@example.com')
  const before = codeIn(inbox, 'row4@example.com')
  time.nowMs += 30_000
  expect((await client.call('/api/login/resend', { tx: resent })).status).toBe(200)
  const after = codeIn(inbox, 'row4@example.com')
  if (before !== after) expect((await verify(resent, before)).code).toBe('CODE_WRONG')
  expect((await verify(resent, after)).status).toBe(200)

  for (const [ms, status] of [
    [10 * minute - 1_000, 200],
    [10 * minute + 1_000, 410],
  ] as const) {
    const fresh = await newClient()
    const email = `row4-${ms}@example.com`
    const tx = await reachCode(fresh, inbox, email)
    time.nowMs += ms
    const reply = await fresh.call('/api/login/verify', { tx, code: codeIn(inbox, email) })
    expect(reply.status).toBe(status)
    if (status === 410) expect(reply.code).toBe('CODE_USED_UP')
  }
})

test('code of another login: a code does not work in another login, purpose or key', async () => {
  const { inbox, server, time } = started
  await server.services.db
    .insertInto('projects')
    .values({ id: 'shop', name: 'Shop', allowed_origins: ['https://shop.example'] })
    .execute()
  await expect
    .poll(async () => (await server.services.projects.read('shop')).has('shop'))
    .toBe(true)
  const email = 'row5@example.com'
  const a = await newClient()
  const txA = await reachCode(a, inbox, email)
  const codeA = codeIn(inbox, email)

  const otherKey = await newClient()
  expect((await otherKey.call('/api/login/verify', { tx: txA, code: codeA })).code).toBe(
    'LOGIN_ENDED',
  )
  const elsewhere = await newClient()
  const place = { projectId: 'shop', origin: 'https://shop.example' }
  const txB = await reachCode(elsewhere, inbox, email, place)
  if (codeIn(inbox, email) !== codeA)
    expect((await elsewhere.call('/api/login/verify', { tx: txB, code: codeA })).code).toBe(
      'CODE_WRONG',
    )
  time.nowMs += 30_000
  const sameKey = await a.begin(email, place)
  expect((await a.call('/api/login/verify', { tx: sameKey.body.tx, code: codeA })).code).toBe(
    'DEVICE_NOT_APPROVED',
  )

  expect((await a.call('/api/login/verify', { tx: txA, code: codeA })).status).toBe(200)
  const signed = await newClient()
  await signIn(signed, inbox, 'row5b@example.com')
  time.nowMs += 30_000
  const token = signed.state.tokens?.accessToken
  const start = { projectId: 'local', origin: server.url, purpose: 'step-up', action: 'delete' }
  const stepUp = await signed.call('/api/login', start, { token })
  const stepUpCode = codeIn(inbox, 'row5b@example.com')
  expect(stepUp.body.action).toBe('VERIFY_OTP')
  time.nowMs += 30_000
  const login = await signed.begin('row5b@example.com', {
    knownDevice: signed.state.tokens?.knownDevice,
  })
  expect(login.body.action).toBe('VERIFY_OTP')
  if (codeIn(inbox, 'row5b@example.com') !== stepUpCode)
    expect(
      (await signed.call('/api/login/verify', { tx: login.body.tx, code: stepUpCode })).code,
    ).toBe('CODE_WRONG')
  // The step-up's own code is not valid either without the session that requested it.
  const body = { tx: stepUp.body.tx, code: stepUpCode }
  expect((await signed.call('/api/login/verify', body)).code).toBe('LOGIN_ENDED')
  expect((await signed.call('/api/login/verify', body, { token })).status).toBe(200)
})

test('code of another login: a place that the project does not name begins no login', async () => {
  const client = await newClient()
  const begun = (more: object) => client.begin('row5c@example.com', more)
  expect((await begun({ origin: 'https://evil.example' })).code).toBe('ORIGIN_NOT_ALLOWED')
  expect((await begun({ projectId: 'unknown' })).code).toBe('ORIGIN_NOT_ALLOWED')
})

test('random codes: every six-digit code is drawn from exactly 2^20 numbers, with one code for each', () => {
  const seen = new Uint8Array(1_000_000)
  let drawnAgain = 0
  for (let value = 0; value < 1 << 20; value += 1) {
    const draws = [Uint8Array.of(value >> 16, (value >> 8) & 255, value & 255), new Uint8Array(3)]
    const code = generateCode(() => draws.shift() ?? new Uint8Array(3))
    if (value < 1_000_000) seen[Number(code)] = (seen[Number(code)] ?? 0) + 1
    else if (draws.length === 0) drawnAgain += 1
  }
  expect(drawnAgain).toBe((1 << 20) - 1_000_000)
  expect(seen.every((count) => count === 1)).toBe(true)
  const pairs = new Map<string, number>()
  for (let byte = 0; byte < 200; byte += 1) {
    const pair = drawMatchCode(() => Uint8Array.of(byte))
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  expect([...pairs.values()]).toEqual(Array(100).fill(2))
})

test('random codes: drawn codes are spread evenly, and nothing here draws with Math.random', () => {
  const buckets = new Float64Array(1_000)
  const draws = soak(1_000_000, 50_000)
  const expected = draws / buckets.length
  for (let drawn = 0; drawn < draws; drawn += 1) {
    const bucket = Math.floor(Number(generateCode()) / 1_000)
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  let chiSquare = 0
  for (const count of buckets) chiSquare += (count - expected) ** 2 / expected
  // 999 degrees of freedom; six deviations to each side.
  expect(chiSquare).toBeGreaterThan(999 - 6 * Math.sqrt(2 * 999))
  expect(chiSquare).toBeLessThan(999 + 6 * Math.sqrt(2 * 999))
  const src = join(import.meta.dirname, '../..')
  const sources = readdirSync(src, { recursive: true }).map((name) => join(src, String(name)))
  const careless = sources.filter(
    (path) =>
      statSync(path).isFile() &&
      !path.endsWith('.test.ts') &&
      readFileSync(path, 'utf8').includes('Math.random'),
  )
  expect(careless).toEqual([])
})

test('behavior: a sweep skips the budgets that a login has locked, and deletes the others', async () => {
  const { server, time } = started
  const { db } = server.services
  const days = 48 * 60 * minute
  const budgets = ['a held', 'b held', 'c free'].map((scope) => ({
    scope,
    subject: randomBytes(32),
    windows: [{ limit: 1, ms: minute }],
  }))
  // A sweep reads the last row of the table first.
  for (const budget of budgets.toReversed())
    await consumeLimit(db, { budget, nowMs: time.nowMs - days })
  const [first, last] = budgets
  if (!first || !last) throw new Error('There are three budgets')
  const readScopes = async () => {
    const rows = await db
      .selectFrom('budgets')
      .select('scope')
      .where(
        'subject',
        'in',
        budgets.map(({ subject }) => subject),
      )
      .orderBy('scope')
      .execute()
    return rows.map(({ scope }) => scope)
  }
  await db.transaction().execute(async (trx) => {
    expect(await consumeLimit(trx, { budget: first, nowMs: time.nowMs })).toBe(0)
    const sweeping = sweepAuth({ db, clock: () => time.nowMs })
    await expect
      .poll(async () => {
        const waits = await sql`select 1 from pg_locks where not granted`.execute(db)
        return waits.rows.length > 0 || !(await readScopes()).includes('c free')
      })
      .toBe(true)
    expect(await consumeLimit(trx, { budget: last, nowMs: time.nowMs })).toBe(0)
    await sweeping
  })
  expect(await readScopes()).toEqual(['a held', 'b held'])
})
