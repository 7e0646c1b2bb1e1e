import { type Inbox, startInbox } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthClient, signIn } from '../../test/authClient.ts'
import { startTestServer, type TestServer } from '../../test/startTestServer.ts'

let inbox: Inbox
let server: TestServer
let nowMs = Date.parse('2026-11-21T12:00:00Z')
beforeAll(async () => {
  inbox = await startInbox({ smtpPort: 0, port: 0 })
  server = await startTestServer({ SMTP_URL: inbox.smtpUrl }, { clock: () => nowMs })
})
afterAll(async () => {
  await server?.stop()
  await inbox?.stop()
})

test('default: a new visitor approves his browser, enters the code and is signed in', async () => {
  const client = await createAuthClient(server)
  const tokens = await signIn(client, inbox, 'ada@example.com')
  expect(tokens.email).toBe('ada@example.com')
  const me = await client.ask('/api/me')
  expect(me.body).toEqual({
    userId: tokens.userId,
    deviceId: tokens.deviceId,
    email: 'ada@example.com',
    stepUpSeconds: 300,
    undoSeconds: 0,
  })
  nowMs += 60_000
})
