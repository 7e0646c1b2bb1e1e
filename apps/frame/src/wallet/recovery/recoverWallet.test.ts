import { type Inbox, startInbox } from '@latchkey/dev'
import { startPasskeyRoute, type VaultState } from '@latchkey/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDevice, allow } from '../../../test/addDevice.ts'
import { signInDevice } from '../../../test/signInDevice.ts'
import { addUser, failsWith, startVault, type VaultServer } from '../../../test/startVault.ts'
import { randomBytes, toBase64Url } from '../crypto/bytes.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { recoverOffline } from './recoveryBundle.ts'
import { createRecoveryKit } from './recoveryKit.ts'

const metricsToken = 'token-of-the-operator'
const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
let inbox: Inbox
beforeAll(async () => {
  inbox = await startInbox({ smtpPort: 0, port: 0 })
  const env = {
    SMTP_URL: inbox.smtpUrl,
    OPERATOR_EMAIL: 'ops@example.com',
    METRICS_TOKEN: metricsToken,
  }
  server = await startVault({ clock: () => time.nowMs, env })
})
afterAll(async () => {
  await server?.remove()
  await inbox?.stop()
})

const passkey = (prf = toBase64Url(randomBytes(32))) => ({
  kind: 'passkey' as const,
  prf,
  credentialId: toBase64Url(randomBytes(16)),
})
const kitFactor = (kit = createRecoveryKit()) => ({ kind: 'kit' as const, kit })

test('default: a new browser has the wallet by the passkey, another by the kit', async () => {
  const userId = await addUser(server)
  const [key, kit] = [passkey(), kitFactor()]
  const first = createKeyWork(await addDevice(server, { userId }))
  const { addresses } = await first.create({ factors: [key, kit] })
  for (const secret of [key, kit]) {
    const work = createKeyWork(await addDevice(server, { userId }))
    expect(await work.getStatus({})).toEqual({ status: 'not-enrolled', durable: false, addresses })
    await expect(work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
      failsWith('WALLET_NOT_ENROLLED'),
    )
    expect(await work.recover({ secret })).toEqual({ addresses })
    const ready = { status: 'ready', durable: false, addresses, accountType: 'smartAccount' }
    expect(await work.getStatus({})).toEqual(ready)
    const words = await first.exportWords({ confirm: 'show the recovery phrase' })
    expect(await work.exportWords({ confirm: 'show the recovery phrase' })).toEqual(words)
  }
  await first.signEvmMessage({ message: '0x00' })
})

test('weak passkeys: a passkey without PRF, with another, or a kit of another wallet opens nothing', async () => {
  const userId = await addUser(server)
  const key = passkey()
  const make = createKeyWork(await addDevice(server, { userId }))
  for (const prf of ['', toBase64Url(randomBytes(16)), toBase64Url(new Uint8Array(32))])
    await expect(make.create({ factors: [passkey(prf)] })).rejects.toSatisfy(
      failsWith('RECOVERY_FAILED'),
    )
  await make.create({ factors: [key] })
  const work = createKeyWork(await addDevice(server, { userId }))
  for (const secret of [passkey(), passkey(''), kitFactor()])
    await expect(work.recover({ secret })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  await expect(work.recover({ secret: kitFactor('AAAA') })).rejects.toSatisfy(
    failsWith('KIT_INVALID'),
  )
  expect(await work.getStatus({})).toMatchObject({ status: 'not-enrolled' })
})

test('release flood: a user gets at most 3 recoveries a day and 30 shares a minute', async () => {
  const userId = await addUser(server)
  const kit = kitFactor()
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  await work.create({ factors: [kit] })
  const other = createKeyWork(await addDevice(server, { userId }))
  for (let turn = 0; turn < 3; turn++) await other.recover({ secret: kit })
  await expect(other.recover({ secret: kit })).rejects.toSatisfy(failsWith('RATE_LIMITED'))
  time.nowMs += 60_000
  const answers = await Promise.all(Array.from({ length: 50 }, () => device.ask('/api/share', {})))
  expect(answers.filter(({ status }) => status === 200).length).toBe(30)
  expect(answers.filter(({ status }) => status === 429).length).toBe(20)
  time.nowMs += 24 * 3_600_000
  await other.recover({ secret: kit })
})

test('release flood: 100 recoveries within an hour pause all others, and the operator is notified', async () => {
  const userId = await addUser(server)
  const kit = kitFactor()
  await createKeyWork(await addDevice(server, { userId })).create({ factors: [kit] })
  const other = createKeyWork(await addDevice(server, { userId }))
  const spent = Array.from({ length: 100 }, () => new Date(time.nowMs))
  await server.db
    .insertInto('budgets')
    .values({ scope: 'vault recoveries of all', subject: Buffer.alloc(1), spent })
    .onConflict((conflict) => conflict.columns(['scope', 'subject']).doUpdateSet({ spent }))
    .execute()
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const response = await fetch(`${server.appUrl}${path}`, { headers })
    return { status: response.status, text: await response.text() }
  }
  const refusals = 'latchkey_vault_refusals_total{limit="all_recoveries"}'
  // Before the first refusal, so that the operator knows first.
  expect((await read('/metrics')).text).toContain('latchkey_recoveries_paused 1\n')
  expect((await read('/metrics')).text).toContain(`${refusals} 0\n`)
  for (let turn = 0; turn < 2; turn++)
    await expect(other.recover({ secret: kit })).rejects.toSatisfy(failsWith('RECOVERY_PAUSED'))
  expect((await read('/metrics')).text).toContain(`${refusals} 2\n`)
  // Logins and signatures still work, so the server keeps receiving requests.
  const ready = await read('/ready')
  expect(ready.status).toBe(200)
  expect(JSON.parse(ready.text)).toMatchObject({
    details: [
      { field: 'recoveries', description: 'Recoveries are paused: there were 100 in an hour' },
    ],
  })
  const told = () => inbox.mails.filter(({ to }) => to.includes('ops@example.com'))
  await expect.poll(told).toMatchObject([{ subject: 'Recoveries of wallets are paused' }])
  time.nowMs += 3_600_000
  await other.recover({ secret: kit })
  expect((await read('/metrics')).text).toContain('latchkey_recoveries_paused 0\n')
  expect((await read('/ready')).text).toBe('{"status":"OK"}')
  expect(told()).toHaveLength(1)
})

describe('assisted', () => {
  test.each([
    ['removed', '/api/devices/revoke', (id: string) => ({ id })],
    ['forgotten', '/api/session/end', () => ({ forget: true })],
  ])(
    'behavior: the operator brings a wallet back at once where no device is left: %s',
    async (how, path, body) => {
      const email = `${how}@example.com`
      const first = await signInDevice({ server, inbox, email })
      const { addresses } = await createKeyWork(first).create({ factors: [{ kind: 'operator' }] })
      await first.ask(path, body(first.deviceId))
      time.nowMs += 60_000
      const second = await signInDevice({ server, inbox, email })
      const early = createKeyWork(second)
      await expect(early.startAssisted({})).rejects.toSatisfy(failsWith('STEP_UP_NEEDED'))
      time.nowMs += 60_000
      const work = createKeyWork(await second.confirm('recovery'))
      const { id, secondsLeft } = await work.startAssisted({})
      expect(secondsLeft).toBe(0)
      expect(await work.finishAssisted({ id })).toEqual({ addresses })
      await work.signEvmMessage({ message: '0x00' })
    },
  )

  test('behavior: another active device delays it by 24 h, and the mail or that device can stop it', async () => {
    const email = 'two@example.com'
    const first = await signInDevice({ server, inbox, email })
    const { addresses } = await createKeyWork(first).create({ factors: [{ kind: 'operator' }] })
    // Before the clock advances: the server sweeps expired tokens.
    const keepTokens = () =>
      server.db
        .updateTable('session_tokens')
        .set({ expires_at: new Date(time.nowMs + 9e9) })
        .execute()
    await keepTokens()
    const startedBy = async () => {
      // After a refusal, the requester waits a week.
      time.nowMs += 7 * 24 * 3_600_000
      const device = await signInDevice({ server, inbox, email })
      time.nowMs += 60_000
      const confirmed = await device.confirm('recovery')
      const work = createKeyWork(confirmed)
      const { id, secondsLeft } = await work.startAssisted({})
      expect(secondsLeft).toBe(86_400)
      const answer = await work.finishAssisted({ id })
      expect(answer).toMatchObject({ secondsLeft: expect.any(Number) })
      return { work, id, confirmed }
    }
    const byMail = await startedBy()
    const mail = inbox.mails.find(({ to }) => to.includes(email))?.text ?? ''
    const secret = /\/undo#recovery=([0-9a-f]{32})/.exec(mail)?.[1]
    const headers = { 'content-type': 'application/json', origin: server.url }
    const body = JSON.stringify({ secret })
    const cancelled = await fetch(`${server.url}/api/recovery/operator/undo`, {
      method: 'POST',
      body,
      headers,
    })
    expect(cancelled.status).toBe(200)
    await expect(byMail.work.finishAssisted({ id: byMail.id })).rejects.toSatisfy(
      failsWith('VAULT_NOT_FOUND'),
    )
    const byDevice = await startedBy()
    const list = '/api/recovery/operator/list'
    // By then its session has expired, and its key is enough.
    const listed = async () => (await first.prove(list, {})).json
    expect(await listed()).toEqual({
      recoveries: [
        { id: byDevice.id, name: expect.any(String), readyAtMs: time.nowMs + 86_400_000 },
      ],
    })
    expect((await byDevice.confirmed.ask(list, {})).json).toEqual({ recoveries: [] })
    expect((await byDevice.confirmed.ask('/api/recovery/operator/cancel', {})).status).toBe(403)
    expect((await first.prove('/api/recovery/operator/cancel', {})).status).toBe(200)
    expect(await listed()).toEqual({ recoveries: [] })
    await expect(byDevice.work.startAssisted({})).rejects.toSatisfy(failsWith('RECOVERY_STOPPED'))
    await expect(byDevice.work.finishAssisted({ id: byDevice.id })).rejects.toSatisfy(
      failsWith('VAULT_NOT_FOUND'),
    )
    const waited = await startedBy()
    await keepTokens()
    const countMails = () => inbox.mails.filter(({ to }) => to.includes(email)).length
    const mails = countMails()
    time.nowMs += 3_600_000
    // Requested again, without a code: the recovery continues, without a second email.
    expect(await waited.work.startAssisted({})).toEqual({ id: waited.id, secondsLeft: 82_800 })
    expect(countMails()).toBe(mails)
    time.nowMs += 82_800_000
    expect(await listed()).toMatchObject({ recoveries: [{ id: waited.id }] })
    expect(await waited.work.finishAssisted({ id: waited.id })).toEqual({ addresses })
    expect(await listed()).toEqual({ recoveries: [] })
  })

  test('behavior: removing the operator changes the key and recovery key; old devices keep working', async () => {
    const userId = await addUser(server)
    const kit = kitFactor()
    const first = await addDevice(server, { userId })
    const work = createKeyWork(first)
    const { addresses } = await work.create({ factors: [{ kind: 'operator' }, kit] })
    const second = createKeyWork(await addDevice(server, { userId }))
    await second.recover({ secret: kit })
    const view = async () =>
      (
        (await first.call('/api/wallet', {})) as {
          wallet: NonNullable<VaultState['wallet']>
        }
      ).wallet
    const before = await view()
    expect(before.tier).toBe('assisted')
    const kept = before.factors.find(({ kind }) => kind === 'operator')
    await allow(server, first, `remove ${kept?.id}`)
    expect(await first.ask('/api/recovery/factors/remove', { id: kept?.id })).toMatchObject({
      status: 409,
      json: { code: 'OPERATOR_NEEDS_NEW_KEY' },
    })
    const fresh = kitFactor()
    await work.rotate({ factors: [fresh] })
    const after = await view()
    expect(after).toMatchObject({ tier: 'self-held', epoch: 2 })
    expect(after.recoveryKey).not.toBe(before.recoveryKey)
    time.nowMs += 60_000
    await second.signEvmMessage({ message: '0x00' })
    expect(await second.getStatus({})).toMatchObject({ status: 'ready', addresses })
    const third = createKeyWork(await addDevice(server, { userId }))
    await expect(third.recover({ secret: kit })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
    expect(await third.recover({ secret: fresh })).toEqual({ addresses })
    const operator = await server.db
      .selectFrom('recovery_factors')
      .select('recovery_factors.id')
      .where('kind', '=', 'operator')
      .innerJoin('wallets', 'wallets.id', 'wallet_id')
      .where('user_id', '=', userId)
      .execute()
    expect(operator).toEqual([])
  })
})

test('error: an attacker with only the mailbox removes nothing and cannot skip the delay', async () => {
  const email = 'owner@example.com'
  const owner = await signInDevice({ server, inbox, email })
  const work = createKeyWork(owner)
  const kit = kitFactor()
  const { addresses } = await work.create({ factors: [{ kind: 'operator' }, kit] })
  time.nowMs += 60_000
  const thief = await signInDevice({ server, inbox, email })
  const { wallet } = (await thief.ask('/api/wallet', {})).json as unknown as VaultState
  const factor = { id: '0'.repeat(32), kind: 'operator', recoveryKey: 'A'.repeat(43) }
  const takings = [
    ['/api/devices/revoke', { id: owner.deviceId }],
    ['/api/recovery/factors/remove', { id: wallet?.factors[1]?.id }],
    ['/api/recovery/factors/add', { factor }],
    ['/api/delete', { confirm: 'delete my wallet' }],
  ] as const
  for (const [path, body] of takings)
    expect(await thief.ask(path, body)).toMatchObject({
      status: 403,
      json: { code: 'WALLET_NOT_ENROLLED' },
    })
  time.nowMs += 60_000
  const asking = createKeyWork(await thief.confirm('recovery'))
  expect(await asking.startAssisted({})).toMatchObject({ secondsLeft: 86_400 })
  time.nowMs -= 120_000
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
})

test('undo: a recovery that was begun before the email address changed waits as well', async () => {
  const email = 'frozen@example.com'
  const first = await signInDevice({ server, inbox, email })
  const { addresses } = await createKeyWork(first).create({ factors: [{ kind: 'operator' }] })
  await first.ask('/api/devices/revoke', { id: first.deviceId })
  time.nowMs += 60_000
  const second = await signInDevice({ server, inbox, email })
  time.nowMs += 60_000
  const work = createKeyWork(await second.confirm('recovery'))
  const { id } = await work.startAssisted({})
  const freeze = (until: Date | null) =>
    server.db
      .updateTable('users')
      .set({ undo_until: until })
      .where('id', '=', second.userId)
      .execute()
  await freeze(new Date(time.nowMs + 3_600_000))
  await expect(work.finishAssisted({ id })).rejects.toSatisfy(failsWith('RECOVERY_FROZEN'))
  await freeze(null)
  expect(await work.finishAssisted({ id })).toEqual({ addresses })
})

describe('offline', () => {
  test('offline: bundle and kit give the phrase with no server at all', async () => {
    const userId = await addUser(server)
    const kit = kitFactor()
    const work = createKeyWork(await addDevice(server, { userId }))
    const { addresses } = await work.create({ factors: [kit, passkey()] })
    const { words } = await work.exportWords({ confirm: 'show the recovery phrase' })
    const { bundle } = await work.bundle({})
    const text = JSON.stringify(bundle)
    expect(await recoverOffline(text, kit)).toEqual({ words, addresses })
    await expect(recoverOffline(text, kitFactor())).rejects.toThrow('the kit is of another wallet')
    await expect(recoverOffline('{}', kit)).rejects.toThrow('this is not a recovery bundle')
    const changed = JSON.stringify({ ...bundle, share: toBase64Url(randomBytes(33)) })
    await expect(recoverOffline(changed, kit)).rejects.toThrow('the bundle was changed')
  })
})

test('behavior: the first way of recovery needs no code for ten minutes; any other always does', async () => {
  const place = { purpose: 'register', projectId: 'local', origin: server.appUrl } as const
  const open = async () => {
    const device = await addDevice(server, { userId: await addUser(server) })
    const { db } = server
    await db.deleteFrom('step_ups').where('session_id', '=', device.sessionId).execute()
    const work = createKeyWork(device)
    await work.create({ factors: [] })
    const register = async () => (await device.ask(startPasskeyRoute.path, place)).status
    return { work, register }
  }
  const [early, late] = [await open(), await open()]
  expect(await early.register()).toBe(200)
  await early.work.addFactor({ factor: kitFactor() })
  const refused = failsWith('STEP_UP_NEEDED')
  await expect(early.work.addFactor({ factor: passkey() })).rejects.toSatisfy(refused)
  expect(await early.register()).toBe(403)
  time.nowMs += 10 * 60_000
  await expect(late.work.addFactor({ factor: kitFactor() })).rejects.toSatisfy(refused)
  expect(await late.register()).toBe(403)
})

test('behavior: factors come and go, and the last one stays', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  const [kit, key] = [kitFactor(), passkey()]
  await work.create({ factors: [kit] })
  const factors = async () =>
    (
      (await device.call('/api/wallet', {})) as {
        wallet: { factors: { id: string; kind: string }[] }
      }
    ).wallet.factors
  const [only] = await factors()
  await allow(server, device, `remove ${only?.id}`)
  expect(await device.ask('/api/recovery/factors/remove', { id: only?.id })).toMatchObject({
    status: 409,
    json: { code: 'LAST_FACTOR' },
  })
  time.nowMs += 1000
  await work.addFactor({ factor: key })
  expect((await factors()).map(({ kind }) => kind)).toEqual(['kit', 'passkey'])
  expect((await device.ask('/api/recovery/factors/remove', { id: only?.id })).status).toBe(200)
  const other = createKeyWork(await addDevice(server, { userId }))
  await expect(other.recover({ secret: kit })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  await other.recover({ secret: key })
  await server.db.deleteFrom('step_ups').where('session_id', '=', device.sessionId).execute()
  await expect(work.addFactor({ factor: kitFactor() })).rejects.toSatisfy(
    failsWith('STEP_UP_NEEDED'),
  )
})

test('error: without a confirmed mailbox the operator keeps no recovery key, in a new wallet or later', async () => {
  const userId = await addUser(server)
  const { email_index, email_sealed } = await server.db
    .selectFrom('users')
    .select(['email_index', 'email_sealed'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const setEmail = (email: object) =>
    server.db.updateTable('users').set(email).where('id', '=', userId).execute()
  await setEmail({ email_index: null, email_sealed: null })
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  const operator = { kind: 'operator' } as const
  await expect(work.create({ factors: [operator, kitFactor()] })).rejects.toSatisfy(
    failsWith('INVALID_PARAMS'),
  )
  await work.create({ factors: [kitFactor()] })
  await expect(work.addFactor({ factor: operator })).rejects.toSatisfy(failsWith('INVALID_PARAMS'))
  await setEmail({ email_index, email_sealed })
  await work.addFactor({ factor: operator })
})
