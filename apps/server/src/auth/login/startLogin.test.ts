import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  codeIn,
  createAuthClient,
  firefox,
  safari,
  secretIn,
  signIn,
} from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { startTestServer } from '../../../test/startTestServer.ts'
import { normalizeEmail } from '../email/normalizeEmail.ts'
import { getBrowserName } from './browserName.ts'

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
})
afterAll(() => started?.stop())

const newClient = (more: Parameters<typeof createAuthClient>[1] = {}) =>
  createAuthClient(started.server, more)

test('default: a known browser gets a code at once, and its token is used up by the login', async () => {
  const { inbox, time } = started
  const client = await newClient()
  const { knownDevice } = await signIn(client, inbox, 'known@example.com')
  // After a wipe: another key, the page's token.
  const wiped = await newClient()
  time.nowMs += 30_000
  expect((await wiped.begin('known@example.com', { knownDevice })).body.action).toBe('VERIFY_OTP')
  time.nowMs += 30_000
  const again = await signIn(wiped, inbox, 'known@example.com', { knownDevice })
  expect(again.knownDevice).not.toBe(knownDevice)
  time.nowMs += 30_000
  const late = await newClient()
  expect((await late.begin('known@example.com', { knownDevice })).body.action).toBe('VERIFY_DEVICE')
})

test('behavior: a token of a known browser counts for its own mailbox, page and project alone', async () => {
  const { inbox, server } = started
  await server.services.db
    .insertInto('projects')
    .values({
      id: 'two',
      name: 'Two',
      allowed_origins: ['https://one.example', 'https://two.example'],
    })
    .execute()
  await expect.poll(async () => (await server.services.projects.read('two')).has('two')).toBe(true)
  const client = await newClient()
  const place = { projectId: 'two', origin: 'https://one.example' }
  const { knownDevice } = await signIn(client, inbox, 'place@example.com', place)
  const action = async (email: string, more: object) =>
    (await (await newClient()).begin(email, { ...place, knownDevice, ...more })).body.action
  expect(await action('other@example.com', {})).toBe('VERIFY_DEVICE')
  expect(await action('place@example.com', { origin: 'https://two.example' })).toBe('VERIFY_DEVICE')
  expect(await action('place@example.com', {})).toBe('VERIFY_OTP')
})

test('mail cooldown: the server refuses for 30 seconds and reports the wait, also without browser state', async () => {
  const { time } = started
  const client = await newClient()
  const [first, second] = await Promise.all([
    client.begin('row6@example.com'),
    client.begin('row6@example.com'),
  ])
  expect([first?.status, second?.status].sort()).toEqual([200, 429])
  time.nowMs += 10_200
  const wiped = await newClient({ address: client.address })
  const refused = await wiped.begin('row6@example.com')
  expect(refused.code).toBe('LOGIN_THROTTLED')
  expect(refused.body.reasons[0].description).toBe('Please try again after 20 seconds')
  expect(refused.headers.get('retry-after')).toBe('20')
  time.nowMs += 19_799
  expect((await client.begin('row6@example.com')).body.data).toEqual({ seconds: 1 })
  time.nowMs += 1
  const body = { email: 'row6@example.com', projectId: 'local', origin: started.server.url }
  // The browser's clock does not matter.
  const claims = { iat: 4_102_444_800 }
  expect((await client.call('/api/login', body, { claims })).status).toBe(200)
})

test('param: MAIL_COOLDOWN_SECONDS: the operator sets the pause, and the response contains its length', async () => {
  const own = await startAuthServer({ MAIL_COOLDOWN_SECONDS: '5' })
  onTestFinished(own.stop)
  const client = await createAuthClient(own.server)
  expect((await client.begin('five@example.com')).body.resendSeconds).toBe(5)
  own.time.nowMs += 4_999
  expect((await client.begin('five@example.com')).body.data).toEqual({ seconds: 1 })
  own.time.nowMs += 1
  expect((await client.begin('five@example.com')).status).toBe(200)
})

test('mail cooldown: five mails an hour and ten a day to a mailbox, twenty an hour from an address', async () => {
  const { time } = started
  const day: number[] = []
  for (let hour = 0; hour < 3; hour += 1) {
    for (let one = 0; one < 6; one += 1) {
      day.push((await (await newClient()).begin('hour@example.com')).status)
      time.nowMs += 31_000
    }
    time.nowMs += 3_600_000
  }
  const five = [200, 200, 200, 200, 200, 429]
  expect(day).toEqual([...five, ...five, 429, 429, 429, 429, 429, 429])
  const statuses: number[] = []
  for (let one = 0; one < 21; one += 1) {
    const client = await newClient({ address: '192.0.2.77' })
    statuses.push((await client.begin(`many${one}@example.com`)).status)
  }
  expect(statuses).toEqual([...Array(20).fill(200), 429])
})

test('param: EMAIL_LOGINS_PER_HOUR: above it, each further login of an address waits longer', async () => {
  const own = await startAuthServer({ EMAIL_LOGINS_PER_HOUR: '3' })
  onTestFinished(own.stop)
  let count = 0
  const begin = async () => {
    const client = await createAuthClient(own.server, { address: '192.0.2.78' })
    count += 1
    return client.begin(`office${count}@example.com`)
  }
  for (let one = 0; one < 3; one += 1) expect((await begin()).status).toBe(200)
  for (const seconds of [10, 20, 30, 40]) {
    const refused = await begin()
    expect({ code: refused.code, data: refused.body.data }).toEqual({
      code: 'LOGIN_THROTTLED',
      data: { seconds },
    })
    own.time.nowMs += seconds * 1_000
    expect((await begin()).status).toBe(200)
  }
  // Mails of the hour before do not count.
  own.time.nowMs += 3_600_000
  expect((await begin()).status).toBe(200)
})

test('mailbox probing: a known and an unknown mailbox get the same status, headers and shape', async () => {
  const { inbox, time } = started
  await signIn(await newClient(), inbox, 'row7known@example.com')
  time.nowMs += 24 * 3_600_000
  const shape = async (email: string) => {
    const { status, body, text, headers } = await (await newClient()).begin(email)
    const names = [...headers.keys()].filter((name) => !changing.has(name))
    const masked = { ...body, tx: body.tx.length, matchCode: body.matchCode.length }
    const values = names.map((name) => [name, headers.get(name)])
    return { status, masked, values, size: text.length, all: [...headers.keys()] }
  }
  const changing = new Set(['date', 'dpop-nonce', 'x-request-id'])
  const known = await shape('row7known@example.com')
  expect(known).toEqual(await shape('row7none1@example.com'))
  expect(known.status).toBe(200)
  // The mails are identical, too.
  const letters = ['row7known@example.com', 'row7none1@example.com'].map((to) =>
    inbox.mails
      .find((mail) => mail.to.includes(to))
      ?.text.replace(/#[\w-]{22}/, '#')
      .replace(codeIn(inbox, to), 'code'),
  )
  expect(letters[0]).toBe(letters[1])
})

test('odd addresses: only the address of exactly one mailbox gets a mail', async () => {
  const { inbox, time } = started
  const bad = [
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nb@example.com',
    'a@example.com,b@example.com',
    'a@example.com;b@example.com',
    'a@example.com b@example.com',
    '<a@example.com>, <b@example.com>',
    '"a@b"@example.com',
    'a@b@example.com',
    'a\u0000@example.com',
    'a\u202e@example.com',
    'a@localhost',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    '@example.com',
    'a@',
    '',
    `${'a'.repeat(5_000)}@example.com`,
  ]
  const before = inbox.mails[0]?.id
  for (const email of bad) {
    const { status, code } = await (await newClient()).begin(email)
    expect({ email, status, code }).toEqual({ email, status: 422, code: 'EMAIL_INVALID' })
  }
  expect(inbox.mails[0]?.id).toBe(before)
  time.nowMs += 30_000
  const clean: readonly (readonly [string, string])[] = [
    ['  Ada.Row9@Example.COM ', 'ada.row9@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ａｄａ９@ｅｘａｍｐｌｅ.com', 'ada9@example.com'],
    ['a.d.a+tag@example.com', 'a.d.a+tag@example.com'],
  ]
  for (const [given, mailbox] of clean) {
    expect((await (await newClient()).begin(given)).status).toBe(200)
    // The inbox shows names of domains as people write them.
    expect(inbox.mails[0]?.to.map(normalizeEmail)).toEqual([mailbox])
    expect(inbox.mails[0]?.headers.filter(({ key }) => key === 'to')).toEqual([
      { key: 'to', value: mailbox },
    ])
  }
})

test('behavior: the mail has both forms, nothing remote, and its link keeps the secret from servers', async () => {
  const { inbox, server } = started
  const client = await newClient({ userAgent: safari })
  await client.begin('mail@example.com')
  const [mail] = inbox.mails
  const secret = secretIn(inbox, 'mail@example.com')
  expect(mail?.text).toContain(`${server.frameUrl}/device#${secret}`)
  expect(mail?.text).toContain('Safari on iPhone')
  expect(mail?.text).toContain(server.url)
  // The digits are the page's alone to show.
  const code = codeIn(inbox, 'mail@example.com')
  const known = [`${server.frameUrl}/device#${secret}`, server.url, '10 minutes', code]
  const rest = known.reduce((text, part) => text.replace(part, ''), mail?.text ?? '')
  expect(rest).not.toMatch(/\d/)
  expect(mail?.html).toContain(`href="${server.frameUrl}/device#${secret}"`)
  expect(mail?.html).not.toMatch(/<(img|script|link|iframe|object)\b|url\(|@import|src=/i)
  const links = [...(mail?.html.matchAll(/https?:\/\/[^"'<\s]+/g) ?? [])].map(([link]) => link)
  expect(new Set(links.map((link) => new URL(link).origin))).toEqual(
    new Set([server.frameUrl, server.url]),
  )
  const named = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? [])
  expect(named['content-type']).toContain('multipart/alternative')
  expect(named['auto-submitted']).toBe('auto-generated')
})

test('error: without a mail server email login is off, and the web app’s configuration says so', async () => {
  const server = await startTestServer()
  try {
    const client = await createAuthClient(server)
    expect((await client.begin('ada@example.com')).code).toBe('EMAIL_LOGIN_OFF')
    const config = await (await fetch(`${server.url}/config.json`)).json()
    expect(config).toMatchObject({ frameUrl: server.frameUrl, emailLogin: false })
  } finally {
    await server.stop()
  }
})

test('error: a mail server that is away is said, and the login can be begun again', async () => {
  const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  try {
    const client = await createAuthClient(server)
    const { status, code } = await client.begin('ada@example.com')
    expect({ status, code }).toEqual({ status: 503, code: 'MAIL_NOT_SENT' })
  } finally {
    await server.stop()
  }
})

test('behavior: browsers get names from our own list', () => {
  expect(getBrowserName(firefox)).toBe('Firefox on Linux')
  expect(getBrowserName(safari)).toBe('Safari on iPhone')
  expect(getBrowserName('<b>Click http://evil.example</b>')).toBe('A browser on an unknown system')
  expect(getBrowserName(undefined)).toBe('A browser on an unknown system')
})

test('behavior: unusual addresses of people sign in', async () => {
  const { inbox } = started
  for (const email of ['ab.@docomo.example', 'a..b@docomo.example', 'müller@example.com']) {
    const client = await newClient()
    expect((await signIn(client, inbox, email)).email).toBe(email)
  }
})

test('error: a mail server without SMTPUTF8: the error asks the user for another address', async () => {
  const own = await startAuthServer({}, {}, { offersUtf8: false })
  onTestFinished(own.stop)
  const client = await createAuthClient(own.server)
  // The first response lists the extensions of the mail server.
  expect((await client.begin('ada@example.com')).status).toBe(200)
  const refused = await client.begin('müller@example.com')
  expect(refused.code).toBe('EMAIL_NOT_TAKEN')
  expect(own.inbox.mails).toHaveLength(1)
  expect((await client.begin('ab.@docomo.example')).status).toBe(200)
})
