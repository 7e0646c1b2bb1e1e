import { startInbox } from '@latchkey/dev'
import { expect, onTestFinished, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { startProxy } from '../../test/startProxy.ts'
import { openMailer } from './mailer.ts'
import { deviceLinkMail } from './mailTexts.ts'

const letter = { subject: 'a', text: 'b', html: 'c' }
const mailFrom = 'Latchkey <no-reply@localhost>'

test('default: one mail to one mailbox, in both forms', async () => {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const mailer = openMailer({ smtpUrl: inbox.smtpUrl, mailFrom }, makeServices({}))
  onTestFinished(() => mailer?.close())
  const hostile = '<img src=x onerror=alert(1)>"&'
  const link = deviceLinkMail({
    origin: hostile,
    browser: hostile,
    link: `https://w/#${hostile}`,
    matchCode: '42',
    code: '123456',
  })
  await mailer?.send({ to: 'ada@example.com', ...link })
  expect(inbox.mails).toMatchObject([
    { from: 'no-reply@localhost', to: ['ada@example.com'], subject: 'Approve your new browser' },
  ])
  expect(inbox.mails[0]?.html).not.toContain('<img')
  expect(inbox.mails[0]?.text).toContain(hostile)
})

test('param: no mail server is no mailer', () => {
  expect(openMailer({ smtpUrl: undefined, mailFrom }, makeServices({}))).toBeUndefined()
})

test('behavior: a server elsewhere without TLS gets nothing', async () => {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const smtpUrl = `${inbox.smtpUrl}/?requireTLS=true`
  const mailer = openMailer({ smtpUrl, mailFrom }, makeServices({}))
  onTestFinished(() => mailer?.close())
  await expect(mailer?.send({ to: 'ada@example.com', ...letter })).rejects.toThrow(
    'The email could not be sent. Try again in a minute',
  )
  expect(inbox.mails).toEqual([])
})

const patientMs = 60_000

/** A mailer whose mail server can be made to fail, with its state in `/ready` and the metrics. */
async function start() {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const proxy = await startProxy(new URL(inbox.smtpUrl))
  onTestFinished(proxy.stop)
  const services = makeServices({})
  const limits = { sendMs: patientMs, connectMs: 10_000, recheckMs: 100 }
  const mailer = openMailer({ smtpUrl: proxy.url, mailFrom }, services, limits)
  if (!mailer) throw new Error('There is a mail server')
  onTestFinished(() => mailer.close())
  return {
    inbox,
    proxy,
    limits,
    send: (to: string) =>
      mailer.send({ to, ...letter }).then(
        () => 'sent',
        (error) => error.code,
      ),
    trouble: () => services.health.troubles().get('mail'),
    metrics: () => services.metrics.registry.metrics(),
  }
}

test.each(['hang', 'mute', 'refuse', 'reset'] as const)(
  'error: %s: 24 mails at once do not wait for each other, and none is sent later',
  async (mode) => {
    const { inbox, proxy, limits, send, trouble, metrics } = await start()
    expect(await send('first@example.com')).toBe('sent')
    await proxy.fail(mode)
    limits.sendMs = 2_000
    const startedAtMs = performance.now()
    const all = Array.from({ length: 24 }, (_, index) => send(`ada${index}@example.com`))
    expect(new Set(await Promise.all(all))).toEqual(new Set(['MAIL_NOT_SENT']))
    // 2 s; the rest is for a busy machine.
    expect(performance.now() - startedAtMs).toBeLessThan(20_000)
    expect(trouble()).toMatch(/^The mail server has not answered for \d+ s$/)
    expect(await metrics()).toContain('latchkey_mail_server_up 0')
    await proxy.fail('pass')
    limits.sendMs = patientMs
    await expect.poll(trouble).toBeUndefined()
    expect(await metrics()).toContain('latchkey_mail_server_up 1')
    expect(await send('last@example.com')).toBe('sent')
    expect(inbox.mails.map(({ to }) => to[0])).toEqual(['last@example.com', 'first@example.com'])
    expect(await metrics()).toContain('latchkey_mails_total{outcome="taken"} 2')
    expect(await metrics()).toContain('latchkey_mails_waiting 0')
  },
)

test('behavior: unusual addresses: dots are quoted, letters beyond ASCII go with SMTPUTF8 alone', async () => {
  for (const offersUtf8 of [true, false]) {
    const inbox = await startInbox({ smtpPort: 0, port: 0, offersUtf8 })
    onTestFinished(inbox.stop)
    const mailer = openMailer({ smtpUrl: inbox.smtpUrl, mailFrom }, makeServices({}))
    onTestFinished(() => mailer?.close())
    const letter = { subject: 'x', text: 'x', html: 'x' }
    for (const to of ['ab.@docomo.example', 'a..b@docomo.example']) {
      expect(mailer?.takes(to)).toBe(true)
      await mailer?.send({ ...letter, to })
      expect(inbox.mails[0]?.to).toEqual([to])
      const header = inbox.mails[0]?.headers.find(({ key }) => key === 'to')?.value
      expect(header).toContain(`"${to.split('@')[0]}"@docomo.example`)
    }
    expect(mailer?.takes('müller@example.com')).toBe(offersUtf8)
    if (offersUtf8) await mailer?.send({ ...letter, to: 'müller@example.com' })
    expect(inbox.mails[0]?.to).toEqual([offersUtf8 ? 'müller@example.com' : 'a..b@docomo.example'])
  }
})
