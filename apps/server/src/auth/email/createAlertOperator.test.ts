import { startInbox } from '@latchkey/dev'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { makeServices } from '../../../test/makeServices.ts'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { openMailer } from '../../mail/mailer.ts'
import { recoveriesPausedMail } from '../../mail/operatorMails.ts'
import { createAlertOperator } from './createAlertOperator.ts'

const hourMs = 3_600_000
const mail = recoveriesPausedMail({ limit: 100, minutes: 7 })
const paused = { about: 'recoveries paused', everyMs: hourMs, mail }

async function start({ isNamed = true, isUp = true } = {}) {
  const operatorEmail = isNamed ? 'ops@shop.example' : undefined
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const inbox = await startInbox({ smtpPort: 0, port: 0 })
  onTestFinished(inbox.stop)
  const smtpUrl = isUp ? inbox.smtpUrl : 'smtp://127.0.0.1:1'
  const mailer = openMailer({ smtpUrl, mailFrom: 'no-reply@shop.example' }, makeServices({}))
  onTestFinished(() => mailer?.close())
  const time = { nowMs: Date.UTC(2026, 0, 1, 12) }
  const problems: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void problems.push(line) })
  // Two processes of one server.
  const open = () =>
    createAlertOperator({ db, clock: () => time.nowMs, log, mailer, config: { operatorEmail } })
  return { db, inbox, time, problems, alerts: [open(), open()] as const }
}

test('default: an alert is mailed once per interval, for all processes together', async () => {
  const { inbox, time, alerts } = await start()
  for (let turn = 0; turn < 5; turn++) for (const alert of alerts) alert(paused)
  await expect.poll(() => inbox.mails.length).toBe(1)
  expect(inbox.mails).toMatchObject([
    { to: ['ops@shop.example'], subject: 'Recoveries of wallets are paused' },
  ])
  expect(inbox.mails[0]?.text).toContain('There were 100 recoveries of wallets within an hour')
  expect(inbox.mails[0]?.text).toContain('in about 7 min')
  time.nowMs += hourMs - 1
  for (const alert of alerts) alert(paused)
  alerts[0]({ ...paused, about: 'another' })
  await expect.poll(() => inbox.mails.length).toBe(2)
  time.nowMs += 2
  alerts[1]({ ...paused, about: 'another' })
  time.nowMs += 60_000
  alerts[1](paused)
  await expect.poll(() => inbox.mails.length).toBe(3)
})

test('param: without an address nothing is sent or counted', async () => {
  const { db, alerts } = await start({ isNamed: false })
  alerts[0](paused)
  expect(await db.selectFrom('budgets').selectAll().execute()).toEqual([])
})

test('error: an alert that the mail server does not take is in the log and is tried again with the next', async () => {
  const { db, time, problems, alerts } = await start({ isUp: false })
  const spent = async () => (await db.selectFrom('budgets').select('spent').execute())[0]?.spent
  alerts[0](paused)
  await expect.poll(() => problems.length).toBe(1)
  expect(problems[0]).toContain('the operator could not be notified')
  expect(problems[0]).not.toContain('ops@shop.example')
  expect(await spent()).toEqual([])
  alerts[0](paused)
  time.nowMs += 60_000
  alerts[0](paused)
  await expect.poll(() => problems.length).toBe(2)
})
