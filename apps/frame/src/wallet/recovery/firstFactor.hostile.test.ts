import { type Inbox, startInbox } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInDevice } from '../../../test/signInDevice.ts'
import { failsWith, startVault, type VaultServer } from '../../../test/startVault.ts'
import { browserLock, type WalletVault } from '../vault.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { createRecoveryKit } from './recoveryKit.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
const minuteMs = 60_000
let server: VaultServer
let inbox: Inbox
beforeAll(async () => {
  inbox = await startInbox({ smtpPort: 0, port: 0 })
  server = await startVault({ clock: () => time.nowMs, env: { SMTP_URL: inbox.smtpUrl } })
})
afterAll(async () => {
  await server?.remove()
  await inbox?.stop()
})

/** A browser that has just made a wallet without a way of recovery. */
async function makeBare(name: string) {
  const email = `${name}@example.com`
  time.nowMs += 12 * 60 * minuteMs
  const device = await signInDevice({ server, inbox, email })
  const work = createKeyWork(device)
  await work.create({ factors: [] })
  const mails = () => inbox.mails.filter(({ to }) => to.includes(email))
  return { email, device, work, mails }
}
const kit = () => ({ factor: { kind: 'kit' as const, kit: createRecoveryKit() } })
const refused = failsWith('STEP_UP_NEEDED')
const startPasskey = ({ device }: { readonly device: Pick<WalletVault, 'call'> }) =>
  device.call('/api/passkeys/start', {
    purpose: 'register',
    projectId: 'local',
    origin: server.appUrl,
  })

test('default: just after the wallet, its first way needs no code, and the owner gets a mail', async () => {
  const { device, work, mails } = await makeBare('ada')
  const before = mails().length
  time.nowMs += 9 * minuteMs
  await startPasskey({ device })
  await work.addFactor(kit())
  expect(mails().length).toBe(before + 1)
  expect(mails()[0]?.subject).toBe('Your new wallet was backed up')
  expect(mails()[0]?.text).toContain('a printed kit')
  await expect(work.addFactor(kit())).rejects.toSatisfy(refused)
})

test('attack: after ten minutes, the unlocked browser adds nothing without a code', async () => {
  const { device: first, mails } = await makeBare('bob')
  time.nowMs += 9 * minuteMs
  // The same session, with a code for something else and newer tokens.
  const device = await first.confirm('step-up', 'delete')
  const before = mails().length
  time.nowMs += minuteMs
  await expect(startPasskey({ device })).rejects.toSatisfy(refused)
  await expect(createKeyWork(device).addFactor(kit())).rejects.toSatisfy(refused)
  expect(mails().length).toBe(before)
})

test('attack: a later login in the same browser adds nothing without a code', async () => {
  const { email, device } = await makeBare('cyd')
  time.nowMs += 2 * minuteMs
  const again = await signInDevice({ server, inbox, email, signer: device.signer })
  const later = createKeyWork({ ...device, call: again.call })
  await expect(startPasskey({ device: again })).rejects.toSatisfy(refused)
  await expect(later.addFactor(kit())).rejects.toSatisfy(refused)
  expect(await later.getStatus({})).toMatchObject({ lacksRecovery: true })
})

test('attack: of two first ways at once, only one needs no code', async () => {
  const { work, device } = await makeBare('dan')
  const other = createKeyWork({ ...device, lock: browserLock(undefined) })
  const results = await Promise.allSettled([work.addFactor(kit()), other.addFactor(kit())])
  const failed = results.filter(({ status }) => status === 'rejected')
  expect(results.length - failed.length).toBe(1)
  expect(failed[0]).toMatchObject({ reason: { code: 'STEP_UP_NEEDED' } })
})
