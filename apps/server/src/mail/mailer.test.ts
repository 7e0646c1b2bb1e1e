import { startInbox } from '@latchkey/dev'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { deviceLinkLetter } from './letters.ts'
import { openMailer } from './mailer.ts'

const log = pino({ level: 'silent' })
const mailFrom = 'Latchkey <no-reply@localhost>'

test('default: one mail to one mailbox, in both forms', async () => {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const mailer = openMailer({ smtpUrl: inbox.smtpUrl, mailFrom }, log)
  onTestFinished(() => mailer?.close())
  const hostile = '<img src=x onerror=alert(1)>"&'
  const letter = deviceLinkLetter({
    origin: hostile,
    browser: hostile,
    link: `https://w/#${hostile}`,
  })
  await mailer?.send({ to: 'ada@example.com', ...letter })
  expect(inbox.mails).toMatchObject([
    { from: 'no-reply@localhost', to: ['ada@example.com'], subject: 'Approve your new browser' },
  ])
  expect(inbox.mails[0]?.html).not.toContain('<img')
  expect(inbox.mails[0]?.text).toContain(hostile)
})

test('param: no mail server is no mailer', () => {
  expect(openMailer({ smtpUrl: undefined, mailFrom }, log)).toBeUndefined()
})

test('behavior: a server elsewhere without TLS gets nothing', async () => {
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const smtpUrl = `${inbox.smtpUrl}/?requireTLS=true`
  const mailer = openMailer({ smtpUrl, mailFrom }, log)
  onTestFinished(() => mailer?.close())
  const letter = { subject: 'a', text: 'b', html: 'c' }
  await expect(mailer?.send({ to: 'ada@example.com', ...letter })).rejects.toThrow(
    'The mail could not be sent. Try again in a minute',
  )
  expect(inbox.mails).toEqual([])
})
