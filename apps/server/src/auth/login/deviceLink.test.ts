import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  codeIn,
  createAuthClient,
  reachCode,
  safari,
  secretIn,
  wrongFor,
} from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { hashToken } from '../session/tokens.ts'

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
})
afterAll(() => started?.stop())

const newClient = (more: Parameters<typeof createAuthClient>[1] = {}) =>
  createAuthClient(started.server, more)
const approvedAt = async (tx: string) =>
  (
    await started.server.services.db
      .selectFrom('logins')
      .select('approved_at')
      .where('hash', '=', hashToken(tx))
      .executeTakeFirst()
  )?.approved_at
const open = (path: string, body: object) =>
  newClient().then((client) => client.post(path, JSON.stringify(body), {}))
const wrongDigits = (digits: string) => String((Number(digits) + 1) % 100).padStart(2, '0')

test('mail scanners: scanners that fetch the link approve nothing; a person who posts the two digits does', async () => {
  const { server, inbox } = started
  const client = await newClient()
  const { tx, matchCode } = (await client.begin('row11@example.com')).body
  const secret = secretIn(inbox, 'row11@example.com')
  const paths = [
    '/device',
    `/device?secret=${secret}`,
    '/api/device-link',
    '/api/device-link/approve',
    `/api/device-link/approve?secret=${secret}&matchCode=${matchCode}`,
  ]
  for (let visit = 0; visit < 4; visit += 1)
    for (const path of paths)
      for (const method of ['GET', 'HEAD'])
        await fetch(`${server.frameUrl}${path}`, { method, redirect: 'manual' })
  expect(await approvedAt(tx)).toBeNull()
  const mailsBefore = inbox.mails[0]?.id
  const shown = await open('/api/device-link', { secret })
  expect(shown.body).toEqual({
    origin: server.url,
    browser: 'Firefox on Linux',
    startedAtMs: started.time.nowMs,
    expiresInSeconds: 600,
    approved: false,
  })
  expect(await approvedAt(tx)).toBeNull()
  expect(inbox.mails[0]?.id).toBe(mailsBefore)
  expect((await open('/api/device-link/approve', { secret, matchCode })).body).toEqual({
    approved: true,
  })
  expect(await approvedAt(tx)).toBeInstanceOf(Date)
})

test('attacker’s link: a victim who opens it sees its origin, and the attacker gets no code', async () => {
  const { inbox, server, time } = started
  const email = 'row12@example.com'
  const attacker = await newClient({ userAgent: safari })
  const { tx, matchCode } = (await attacker.begin(email)).body
  const secret = secretIn(inbox, email)
  const shown = await open('/api/device-link', { secret })
  // Nothing else, so no digits.
  expect(shown.body).toEqual({
    origin: server.url,
    browser: 'Safari on iPhone',
    startedAtMs: time.nowMs,
    expiresInSeconds: 600,
    approved: false,
  })
  // The victim's own page shows no digits, or others.
  const guess = await open('/api/device-link/approve', {
    secret,
    matchCode: wrongDigits(matchCode),
  })
  expect(guess.code).toBe('MATCH_CODE_WRONG')
  expect((await attacker.call('/api/login/verify', { tx, code: '000000' })).code).toBe(
    'DEVICE_NOT_APPROVED',
  )
  // Even if the victim is persuaded, only the victim gets the code, and the mail names its purpose.
  expect((await open('/api/device-link/approve', { secret, matchCode })).status).toBe(200)
  const code = codeIn(inbox, email)
  expect(inbox.mails[0]?.text).toContain(server.url)
  expect(inbox.mails[0]?.text).toMatch(new RegExp(`\\b${matchCode}\\b`))
  expect((await attacker.call('/api/login/verify', { tx, code: wrongFor(code) })).code).toBe(
    'CODE_WRONG',
  )
  const waiting = await attacker.call('/api/login/device', { tx })
  expect(waiting.body).toEqual({ approved: true })
  expect(waiting.text).not.toContain(code)
  // In any other browser than the attacker's the code does nothing.
  const victim = await newClient()
  expect((await victim.call('/api/login/verify', { tx, code })).code).toBe('LOGIN_ENDED')
})

test('behavior: three wrong pairs of digits end a link; another link is another three', async () => {
  const { inbox, time } = started
  const client = await newClient()
  const { tx, matchCode } = (await client.begin('tries@example.com')).body
  const secret = secretIn(inbox, 'tries@example.com')
  const wrong = { secret, matchCode: wrongDigits(matchCode) }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => open('/api/device-link/approve', wrong)),
  )
  const codes = replies.map(({ code }) => code).sort()
  expect(codes).toEqual([...Array(17).fill('LINK_INVALID'), ...Array(3).fill('MATCH_CODE_WRONG')])
  expect((await open('/api/device-link/approve', { secret, matchCode })).code).toBe('LINK_INVALID')
  time.nowMs += 30_000
  expect((await client.call('/api/login/resend', { tx })).status).toBe(200)
  const again = secretIn(inbox, 'tries@example.com')
  expect((await open('/api/device-link', { secret })).code).toBe('LINK_INVALID')
  const good = await open('/api/device-link/approve', { secret: again, matchCode })
  expect(good.body).toEqual({ approved: true })
})

test('behavior: a link is good for ten minutes, and approves once however often it is pressed', async () => {
  const { inbox, time } = started
  const client = await newClient()
  const { matchCode } = (await client.begin('twice@example.com')).body
  const secret = secretIn(inbox, 'twice@example.com')
  const replies = await Promise.all(
    Array.from({ length: 3 }, () => open('/api/device-link/approve', { secret, matchCode })),
  )
  expect(replies.every(({ status }) => status === 200 || status === 404)).toBe(true)
  const codes = inbox.mails.filter(
    ({ to, subject }) => to.includes('twice@example.com') && /is your code/.test(subject),
  )
  expect(codes).toHaveLength(1)
  await client.begin('late@example.com')
  const late = secretIn(inbox, 'late@example.com')
  time.nowMs += 600_000
  expect((await open('/api/device-link', { secret: late })).code).toBe('LINK_INVALID')
})

test('behavior: the browser that waits hears of it at once', async () => {
  const { inbox } = started
  const client = await newClient()
  const { tx, matchCode } = (await client.begin('wait@example.com')).body
  const startedAtMs = performance.now()
  const waiting = client.call('/api/login/device', { tx })
  await new Promise((resolve) => setTimeout(resolve, 300))
  const secret = secretIn(inbox, 'wait@example.com')
  await open('/api/device-link/approve', { secret, matchCode })
  expect((await waiting).body).toEqual({ approved: true })
  expect(performance.now() - startedAtMs).toBeLessThan(10_000)
})

test('error: invalid secrets', async () => {
  for (const path of ['/api/device-link', '/api/device-link/approve']) {
    const unknown = { secret: 'A'.repeat(22), matchCode: '00' }
    expect((await open(path, unknown)).code).toBe('LINK_INVALID')
    expect((await open(path, { ...unknown, secret: 'short' })).code).toBe('INVALID_PARAMS')
  }
  const client = await newClient()
  await expect(reachCode(client, started.inbox, 'not an address')).rejects.toThrow('EMAIL_INVALID')
})
