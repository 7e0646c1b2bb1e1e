import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthClient, signIn } from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { readMetrics } from '../../../test/readMetrics.ts'

const operator = 'ops@shop.example'
let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer({ MAILS_PER_HOUR: '3', OPERATOR_EMAIL: operator })
})
afterAll(() => started?.stop())

let count = 0
/** A new user requests a mail to a new mailbox. */
async function ask() {
  count += 1
  const client = await createAuthClient(started.server)
  return (await client.begin(`user${count}@example.com`)).code
}
const alerts = () => started.inbox.mails.filter(({ to }) => to.includes(operator))
async function read() {
  const { url } = started.server
  const ready = await fetch(`${url}/ready`)
  const metrics = await readMetrics(url)
  const refusals = /latchkey_mail_limit_refusals_total\{kind="all"\} (\d+)/.exec(metrics)?.[1]
  return { status: ready.status, text: await ready.text(), refusals: Number(refusals) }
}

test('security: the operator is notified once an hour; known browsers have a separate limit', async () => {
  const { server, inbox, time } = started
  const known = await createAuthClient(server)
  await signIn(known, inbox, 'known@example.com')
  expect(await read()).toEqual({ status: 200, text: '{"status":"OK"}', refusals: 0 })
  expect([await ask(), await ask()]).toEqual([undefined, undefined])
  expect(await ask()).toBe('LOGIN_THROTTLED')
  await expect.poll(alerts).toHaveLength(1)
  expect(alerts()[0]?.subject).toBe('Mails to new browsers are refused')
  expect(alerts()[0]?.text).toContain('Your server sends 3 mails in an hour to new browsers')
  expect(await read()).toEqual({
    status: 200,
    text: '{"status":"OK","details":[{"field":"mails:all","description":"Mails to new browsers are refused: there were 3 in an hour"}]}',
    refusals: 1,
  })
  const { knownDevice } = known.state.tokens ?? {}
  time.nowMs += 60_000
  expect((await known.begin('known@example.com', { knownDevice })).body.action).toBe('VERIFY_OTP')
  expect(await ask()).toBe('LOGIN_THROTTLED')

  time.nowMs += 10 * 60_000
  expect((await read()).text).toBe('{"status":"OK"}')
  expect(await ask()).toBe('LOGIN_THROTTLED')
  expect((await read()).refusals).toBe(3)
  time.nowMs += 50 * 60_000
  expect([await ask(), await ask()]).toEqual([undefined, undefined])
  expect(alerts()).toHaveLength(1)
  while ((await ask()) === undefined);
  await expect.poll(alerts).toHaveLength(2)
})
