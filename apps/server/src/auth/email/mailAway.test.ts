import { startInbox } from '@latchkey/dev'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthClient } from '../../../test/auth/authClient.ts'
import { startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { startProxy } from '../../../test/startProxy.ts'

test('error: 24 logins while the mail server hangs: 503 for all, and none counts against the next try', async () => {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const proxy = await startProxy(new URL(inbox.smtpUrl))
  onTestFinished(proxy.stop)
  const started = await startAuthServer({ SMTP_URL: proxy.url })
  onTestFinished(started.stop)
  const { server } = started
  const clients = await Promise.all(Array.from({ length: 24 }, () => createAuthClient(server)))
  const beginAll = () =>
    Promise.all(clients.map((client, index) => client.begin(`ada${index}@example.com`)))
  await proxy.fail('hang')
  const startedAtMs = performance.now()
  const refused = await beginAll()
  // 10 s; the rest is for a busy machine. One after the other took a minute.
  expect(performance.now() - startedAtMs).toBeLessThan(30_000)
  for (const { status, code, headers } of refused)
    expect([status, code, headers.get('retry-after')]).toEqual([503, 'MAIL_NOT_SENT', '60'])
  const ready = await fetch(`${server.url}/ready`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({ details: [{ field: 'mail' }] })
  await proxy.fail('pass')
  for (const { status } of await beginAll()) expect(status).toBe(200)
  expect(inbox.mails).toHaveLength(24)
})
