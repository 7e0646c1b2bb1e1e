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
const mailsTo = (inbox: AuthServer['inbox'], email: string) =>
  inbox.mails.filter(({ to }) => to.includes(email))
/** The newest mail without "10 minutes" and its URLs, whose digits are no match code. */
const withoutMinutes = (inbox: AuthServer['inbox']) =>
  inbox.mails[0]?.text.replaceAll('10 minutes', '').replace(/http\S+/g, '')
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
    codeInLinkMail: true,
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
    codeInLinkMail: true,
  })
  // The mail has the code, but not the digits.
  expect(inbox.mails[0]?.text).toContain(server.url)
  expect(withoutMinutes(inbox)).not.toMatch(new RegExp(`\\b${matchCode}\\b`))
  // The victim's own page shows no digits, or others.
  const guess = await open('/api/device-link/approve', {
    secret,
    matchCode: wrongDigits(matchCode),
  })
  expect(guess.code).toBe('MATCH_CODE_WRONG')
  expect((await attacker.call('/api/login/verify', { tx, code: '000000' })).code).toBe(
    'DEVICE_NOT_APPROVED',
  )
  // Even if the victim is persuaded, only the victim's mail has the code.
  expect((await open('/api/device-link/approve', { secret, matchCode })).status).toBe(200)
  const code = codeIn(inbox, email)
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

test('one mail: the code of the mail counts only after its link, with the digits, and no other mail follows', async () => {
  const { inbox } = started
  const email = 'one@example.com'
  const client = await newClient()
  const { tx, matchCode, codeInLinkMail } = (await client.begin(email)).body
  expect(codeInLinkMail).toBe(true)
  const code = codeIn(inbox, email)
  const verify = () => client.call('/api/login/verify', { tx, code })
  // Someone who saw only the code, for example on a locked phone.
  expect((await verify()).code).toBe('DEVICE_NOT_APPROVED')
  const secret = secretIn(inbox, email)
  expect((await open('/api/device-link/approve', { secret, matchCode })).status).toBe(200)
  expect((await verify()).body.email).toBe(email)
  expect(mailsTo(inbox, email)).toHaveLength(1)
})

test('leaked link: who began the login and got the address of the link, but not the mail, has three guesses', async () => {
  const { inbox } = started
  const email = 'leaked@example.com'
  const attacker = await newClient()
  const { tx, matchCode } = (await attacker.begin(email)).body
  // A scanner published the address that it found in the mail.
  const secret = secretIn(inbox, email)
  const approved = await open('/api/device-link/approve', { secret, matchCode })
  expect(approved.body).toEqual({ approved: true })
  expect(approved.text).not.toContain(codeIn(inbox, email))
  const guess = async (code: string) =>
    (await attacker.call('/api/login/verify', { tx, code })).code
  const wrong = wrongFor(codeIn(inbox, email))
  expect([await guess(wrong), await guess(wrong), await guess(wrong)]).toEqual(
    Array(3).fill('CODE_WRONG'),
  )
  expect(await guess(codeIn(inbox, email))).toBe('CODE_USED_UP')
})

test('behavior: another link has another code, and the earlier code no longer works', async () => {
  const { inbox, time } = started
  const email = 'again@example.com'
  const client = await newClient()
  const { tx, matchCode } = (await client.begin(email)).body
  const before = codeIn(inbox, email)
  time.nowMs += 30_000
  await client.call('/api/login/resend', { tx })
  const code = codeIn(inbox, email)
  const secret = secretIn(inbox, email)
  await open('/api/device-link/approve', { secret, matchCode })
  const verify = (code: string) => client.call('/api/login/verify', { tx, code })
  if (before !== code) expect((await verify(before)).code).toBe('CODE_WRONG')
  expect((await verify(code)).status).toBe(200)
})

test('behavior: the code of a sign-in that shows the phrase has a separate mail', async () => {
  const { inbox } = started
  const email = 'export@example.com'
  const client = await newClient()
  const begun = (await client.begin(email, { action: 'export' })).body
  expect(begun).not.toHaveProperty('codeInLinkMail')
  expect(() => codeIn(inbox, email)).toThrow('No code')
  const approved = { secret: secretIn(inbox, email), matchCode: begun.matchCode }
  await open('/api/device-link/approve', approved)
  expect(withoutMinutes(inbox)).toMatch(new RegExp(`\\b${begun.matchCode}\\b`))
  expect(mailsTo(inbox, email)).toHaveLength(2)
})

test('behavior: a link without a code, of an earlier version, is followed by the mail with the code', async () => {
  const { inbox, server } = started
  const email = 'earlier@example.com'
  const client = await newClient()
  const { tx, matchCode } = (await client.begin(email)).body
  await server.services.db.deleteFrom('codes').where('tx_hash', '=', hashToken(tx)).execute()
  const secret = secretIn(inbox, email)
  expect((await open('/api/device-link', { secret })).body).not.toHaveProperty('codeInLinkMail')
  await open('/api/device-link/approve', { secret, matchCode })
  expect(mailsTo(inbox, email)).toHaveLength(2)
  const given = { tx, code: codeIn(inbox, email) }
  expect((await client.call('/api/login/verify', given)).status).toBe(200)
})

test('behavior: the code lives ten minutes from the approval', async () => {
  const { inbox, time } = started
  const email = 'slow@example.com'
  const client = await newClient()
  const { tx, matchCode } = (await client.begin(email)).body
  const code = codeIn(inbox, email)
  time.nowMs += 590_000
  await open('/api/device-link/approve', { secret: secretIn(inbox, email), matchCode })
  time.nowMs += 590_000
  expect((await client.call('/api/login/verify', { tx, code })).status).toBe(200)
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
  expect(mailsTo(inbox, 'twice@example.com')).toHaveLength(1)
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
