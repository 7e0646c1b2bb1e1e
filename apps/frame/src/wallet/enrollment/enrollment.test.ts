import { isError } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import { createRandomId, randomBytes, toBase64Url } from '../crypto/bytes.ts'
import { deriveRecoveryKeyPair, hpkeSeal } from '../crypto/hpke.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { compareWords, createCommitment } from './compareWords.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

type Tamper = (path: string, result: unknown, body: unknown) => unknown

async function twoDevices(tamper: { old?: Tamper; fresh?: Tamper } = {}) {
  const userId = await addUser(server)
  const old = await addDevice(server, { userId, ...(tamper.old && { tamper: tamper.old }) })
  const work = createKeyWork(old)
  const { addresses } = await work.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] })
  const fresh = await addDevice(server, { userId, ...(tamper.fresh && { tamper: tamper.fresh }) })
  return { userId, old, work, addresses, fresh, joining: createKeyWork(fresh) }
}

type Two = Pick<Awaited<ReturnType<typeof twoDevices>>, 'work' | 'joining'>

/** As two honest devices and a person who finds the words the same. */
async function enrol({ work, joining }: Two) {
  const { askId } = await joining.ask({})
  await work.meet({ askId })
  await joining.poll({ askId })
  await work.words({ askId })
  await work.approve({ askId })
  await joining.confirm({ askId })
  return joining.poll({ askId })
}

const refused = (code: 'ENROLMENT_STOPPED' | 'VAULT_NOT_FOUND' | 'RATE_LIMITED') =>
  expect.objectContaining({ code })

test('default: an old device lets a new one in, after the same three words on both', async () => {
  const { work, addresses, joining, fresh, old } = await twoDevices()
  const { askId } = await joining.ask({})
  expect(await joining.poll({ askId })).toEqual({ status: 'waiting' })
  await work.meet({ askId })
  expect(await work.words({ askId })).toEqual({})
  const met = await joining.poll({ askId })
  const { words } = await work.words({ askId })
  expect(words).toMatch(/^\w+ \w+ \w+$/)
  expect(met).toEqual({ status: 'met', words })
  await work.approve({ askId })
  expect(await joining.poll({ askId })).toEqual({ status: 'met', words })
  await joining.confirm({ askId })
  expect(await joining.poll({ askId })).toEqual({ status: 'enrolled', addresses })
  expect(await joining.poll({ askId })).toEqual({ status: 'enrolled', addresses })
  await joining.signEvmMessage({ message: '0x00' })
  await work.signEvmMessage({ message: '0x00' })
  const { json } = await old.ask('/api/devices/list', {})
  const ids = (json.devices as { id: string; current: boolean }[]).map(({ id, current }) => ({
    id,
    current,
  }))
  expect(ids).toEqual([
    { id: old.deviceId, current: true },
    { id: fresh.deviceId, current: false },
  ])
})

test('behavior: both devices may be reloaded between any two steps', async () => {
  const { addresses, fresh, old } = await twoDevices()
  const work = () => createKeyWork(old)
  const joining = () => createKeyWork(fresh)
  const { askId } = await joining().ask({})
  await work().meet({ askId })
  await work().meet({ askId })
  const met = await joining().poll({ askId })
  await work().meet({ askId })
  expect(met).toMatchObject({ status: 'met', ...(await work().words({ askId })) })
  expect(await joining().poll({ askId })).toEqual(met)
  await work().approve({ askId })
  await joining().confirm({ askId })
  expect(await joining().poll({ askId })).toEqual({ status: 'enrolled', addresses })
})

test('two sites: each device has its own split: revoking one device leaves the other', async () => {
  const two = await twoDevices()
  await enrol(two)
  expect((await two.fresh.ask('/api/devices/revoke', { id: two.old.deviceId })).status).toBe(200)
  await two.joining.signEvmMessage({ message: '0x00' })
  await expect(two.work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy((error) =>
    isError(error, 'SIGNED_OUT'),
  )
})

test('behavior: a refused device stays refused', async () => {
  const { work, joining } = await twoDevices()
  const { askId } = await joining.ask({})
  await work.refuse({ askId })
  expect(await joining.poll({ askId })).toEqual({ status: 'refused' })
  await expect(work.meet({ askId })).rejects.toThrow('Not found')
})

type ApprovalRequest = {
  askId: string
  deviceId: string
  deviceKey: string
  commitment: string
  nonce?: string
}
type IncomingPin = { status: string; nonce: string; deviceId: string; deviceKey: string }

/**
 * A server in the middle of both devices that receives every message first, and may change it. It
 * has a key pair, and the messages received so far.
 */
async function between() {
  const evil = await deriveRecoveryKeyPair(randomBytes(32))
  const received = { oldNonce: '', oldKey: '', newNonce: '', oldId: '', shares: [] as unknown[] }
  const lies: {
    asks?: (ask: ApprovalRequest) => ApprovalRequest
    met?: (answer: IncomingPin) => object
    reveal?: Error
  } = {}
  const two = await twoDevices({
    old: (path, result) =>
      path === '/api/enroll/asks' && lies.asks
        ? { asks: (result as { asks: ApprovalRequest[] }).asks.map(lies.asks) }
        : result,
    fresh: (path, result) =>
      path === '/api/enroll/poll' && lies.met && (result as IncomingPin).status === 'met'
        ? lies.met(result as IncomingPin)
        : result,
  })
  const oldCall = two.old.call
  const freshCall = two.fresh.call
  received.oldId = two.old.deviceId
  const old: typeof two.old = {
    ...two.old,
    call: (path, body) => {
      const { nonce, deviceKey } = body as Record<string, string>
      if (path === '/api/enroll/meet')
        Object.assign(received, { oldNonce: nonce, oldKey: deviceKey ?? '' })
      if (path === '/api/enroll/answer') received.shares.push(body)
      return oldCall(path, body)
    },
  }
  const fresh: typeof two.fresh = {
    ...two.fresh,
    call: async (path, body) => {
      if (path !== '/api/enroll/reveal') return freshCall(path, body)
      received.newNonce = (body as { nonce: string }).nonce
      if (lies.reveal) throw lies.reveal
      return freshCall(path, body)
    },
  }
  /**
   * Computes the words on the screen of a user who gets the server's key, from the values that the
   * server has chosen.
   */
  const wordsFor = (askId: string, newNonce: string, oldNonce = received.oldNonce) => {
    const newDevice = { id: two.fresh.deviceId, key: evil.publicKey }
    const commitment = createCommitment({ askId, newDevice, newNonce })
    const oldDevice = { id: received.oldId, key: received.oldKey }
    const { addresses } = two
    const all = { askId, newDevice, commitment, oldDevice, oldNonce, newNonce, addresses }
    return { commitment, words: compareWords(all) }
  }
  return {
    ...two,
    old,
    fresh,
    work: createKeyWork(old),
    joining: createKeyWork(fresh),
    evil,
    received,
    lies,
    wordsFor,
  }
}

const freshNonce = () => toBase64Url(randomBytes(16))
/**
 * A person who compares the first of three words only: 11 bits instead of 33, so that the search
 * takes no minutes.
 */
const glance = (words: string | undefined) => words?.split(' ')[0]

function search(words: string, make: (nonce: string) => string): string {
  for (;;) {
    const nonce = freshNonce()
    if (glance(make(nonce)) === glance(words)) return nonce
  }
}

test.each([
  ['a key, and later a nonce and commitment that give the words of the new device', true, false],
  ['the same to a device that is reloaded in between', true, true],
  ['a key, and later a nonce of other words than it committed to', false, false],
])(
  'hostile enrollment: a server that shows %s is stopped and gets nothing',
  async (_, changes, reloads) => {
    const { joining, work, evil, received, lies, wordsFor, old } = await between()
    const { askId } = await joining.ask({})
    const first = wordsFor(askId, freshNonce())
    lies.asks = (ask) => ({ ...ask, deviceKey: evil.publicKey, commitment: first.commitment })
    await work.meet({ askId })
    const met = await joining.poll({ askId })
    if (met.status !== 'met') throw new Error(met.status)
    const nonce = search(met.words, (tried) => wordsFor(askId, tried).words)
    const { commitment } = changes ? wordsFor(askId, nonce) : first
    lies.asks = (ask) => ({ ...ask, deviceKey: evil.publicKey, commitment, nonce })
    const deceived = reloads ? createKeyWork(old) : work
    if (reloads)
      await expect(deceived.meet({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
    await expect(deceived.words({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
    await expect(deceived.approve({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
    expect(received.shares).toEqual([])
    expect(await deceived.getStatus({})).toMatchObject({ status: 'ready' })
    await deceived.signEvmMessage({ message: '0x00' })
  },
)

test('hostile enrollment: a server that receives the new nonce, denies it and answers again is stopped', async () => {
  const { joining, work, fresh, evil, received, lies, wordsFor, addresses } = await between()
  const { askId } = await joining.ask({})
  const own = freshNonce()
  const { commitment } = wordsFor(askId, own)
  lies.asks = (ask) => ({ ...ask, deviceKey: evil.publicKey, commitment, nonce: own })
  await work.meet({ askId })
  const shown = await work.words({ askId })
  expect(shown.words).toBe(wordsFor(askId, own).words)
  // The new device shows its nonce, and gets the error OFFLINE.
  lies.reveal = Object.assign(new Error(), { name: 'LatchkeyError', code: 'OFFLINE', data: {} })
  await expect(joining.poll({ askId })).rejects.toEqual(
    expect.objectContaining({ code: 'OFFLINE' }),
  )
  expect(received.newNonce).not.toBe('')
  const { oldKey, oldId, newNonce } = received
  const { deviceKey } = (await fresh.store.get('browser keys')) as { deviceKey: string }
  const newDevice = { id: fresh.deviceId, key: deviceKey }
  const oldDevice = { id: oldId, key: oldKey }
  const mine = { askId, newDevice, newNonce, oldDevice, addresses }
  const answer = search(shown.words ?? '', (oldNonce) =>
    compareWords({ ...mine, commitment: createCommitment(mine), oldNonce }),
  )
  delete lies.reveal
  lies.met = (met) => ({ ...met, nonce: answer })
  for (const again of [joining, createKeyWork(fresh)])
    await expect(again.poll({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  expect(await createKeyWork(fresh).getStatus({})).toMatchObject({ status: 'not-enrolled' })
})

test.each<[string, (met: IncomingPin) => object]>([
  ['key', (met) => ({ ...met, deviceKey: `${met.deviceKey.slice(0, -5)}AAAAA` })],
  ['id', (met) => ({ ...met, deviceId: 'another' })],
  [
    'Solana account',
    (met) => ({ ...met, addresses: { ...addressesOf(met), solana: '1'.repeat(32) } }),
  ],
  [
    'address',
    (met) => ({ ...met, addresses: { ...addressesOf(met), eip155: `0x${'1'.repeat(40)}` } }),
  ],
])(
  'hostile enrollment: another %s of the old device than the new one heard first stops it',
  async (_, lie) => {
    const { joining, work, lies } = await between()
    const { askId } = await joining.ask({})
    await work.meet({ askId })
    expect(await joining.poll({ askId })).toMatchObject({ status: 'met' })
    lies.met = lie
    await expect(joining.poll({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  },
)

const addressesOf = (met: IncomingPin) => (met as IncomingPin & { addresses: object }).addresses

test.each<[string, (met: IncomingPin) => object]>([
  ['key', (met) => ({ ...met, deviceKey: `${met.deviceKey.slice(0, -5)}AAAAA` })],
  ['id', (met) => ({ ...met, deviceId: 'another' })],
  ['nonce', (met) => ({ ...met, nonce: toBase64Url(randomBytes(16)) })],
  [
    'address',
    (met) => ({ ...met, addresses: { ...addressesOf(met), eip155: `0x${'1'.repeat(40)}` } }),
  ],
])('hostile enrollment: another %s from the start shows other words', async (_, lie) => {
  const { joining, work, lies } = await between()
  lies.met = lie
  const { askId } = await joining.ask({})
  await work.meet({ askId })
  const met = await joining.poll({ askId })
  const { words } = await work.words({ askId })
  expect(words).toBeDefined()
  expect(met).toMatchObject({ status: 'met' })
  expect(met).not.toMatchObject({ words })
})

test('hostile enrollment: a device that is shown its own key as a new one, or as the old one, stops', async () => {
  const { joining, work, lies, old, fresh } = await between()
  const keyOf = async ({ store }: typeof old) =>
    ((await store.get('browser keys')) as { deviceKey: string }).deviceKey
  const { askId } = await joining.ask({})
  const ownKey = await keyOf(old)
  lies.asks = (ask) => ({ ...ask, deviceKey: ownKey })
  await expect(work.meet({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  delete lies.asks
  await work.meet({ askId })
  const newKey = await keyOf(fresh)
  lies.met = (met) => ({ ...met, deviceKey: newKey })
  await expect(joining.poll({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
})

test('hostile enrollment: after the words are compared, the server cannot change the share’s key', async () => {
  const { joining, work, lies, evil, addresses } = await between()
  const { askId } = await joining.ask({})
  await work.meet({ askId })
  await joining.poll({ askId })
  await work.words({ askId })
  lies.asks = (ask) => ({ ...ask, deviceKey: evil.publicKey })
  await work.approve({ askId })
  await joining.confirm({ askId })
  expect(await joining.poll({ askId })).toEqual({ status: 'enrolled', addresses })
})

test('hostile enrollment: a wallet that only the server approves is refused until the words are compared', async () => {
  const stranger = await twoDevices()
  const { wallet } = (await stranger.old.call('/api/wallet', {})) as {
    wallet: { manifest: object; slot: { sealedRecoveryShare: object } }
  }
  const { joining, lies } = await between()
  const { askId } = await joining.ask({})
  await expect(joining.confirm({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  await server.db.updateTable('enrollments').set({ met_by: stranger.old.deviceId }).execute()
  await server.db
    .updateTable('enrollments')
    .set({
      met_nonce: freshNonce(),
      met_key: (await deriveRecoveryKeyPair(randomBytes(32))).publicKey,
    })
    .where('id', '=', askId)
    .execute()
  lies.met = (met) => ({ ...met, addresses: stranger.addresses })
  const met = await joining.poll({ askId })
  expect(met).toMatchObject({ status: 'met' })
  lies.met = () => ({
    status: 'approved',
    changeId: createRandomId(),
    manifest: wallet.manifest,
    sealedRecoveryShare: wallet.slot.sealedRecoveryShare,
    sealedDeviceShare: wallet.slot.sealedRecoveryShare,
  })
  expect(await joining.poll({ askId })).toEqual(met)
  await joining.drop({ askId })
  await expect(joining.poll({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  expect(await joining.getStatus({})).toMatchObject({ status: 'not-enrolled' })
})

test('hostile enrollment: a share that is sealed to another key or for another wallet is refused', async () => {
  const evil = await deriveRecoveryKeyPair(randomBytes(32))
  const forged = await hpkeSeal(evil.publicKey, randomBytes(33), ['device share'])
  const two = await twoDevices({
    fresh: (path, result) => {
      if (path !== '/api/enroll/poll') return result
      const answer = result as { status: string; sealedDeviceShare?: unknown }
      return answer.status === 'approved' ? { ...answer, sealedDeviceShare: forged } : result
    },
  })
  await expect(enrol(two)).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  expect(await createKeyWork(two.fresh).getStatus({})).toMatchObject({ status: 'not-enrolled' })
})

test('error: ten tries a day, also after a restart; a successful one resets the count', async () => {
  const { work, joining, old, fresh } = await twoDevices()
  const codes = async (tries: number, run: () => Promise<unknown>) => {
    const codes: unknown[] = []
    for (let at = 0; at < tries; at++) codes.push(await run().catch((error) => error.code))
    return codes
  }
  const meet = () => work.meet({ askId: createRandomId() })
  expect(await codes(11, meet)).toEqual([...Array(10).fill('VAULT_NOT_FOUND'), 'RATE_LIMITED'])
  await old.store.put('enrolment tries', Array(10).fill(Date.now() - 24 * 3_600_000))
  expect(await codes(9, meet)).toEqual(Array(9).fill('VAULT_NOT_FOUND'))
  await fresh.store.put('enrolment tries', Array(9).fill(Date.now()))
  expect(await enrol({ work, joining })).toMatchObject({ status: 'enrolled' })
  expect(await codes(10, meet)).toEqual(Array(10).fill('VAULT_NOT_FOUND'))
  await fresh.store.put('enrolment tries', Array(10).fill(Date.now()))
  await expect(joining.ask({})).rejects.toEqual(refused('RATE_LIMITED'))
})

test('error: an enrollment that an older page began is refused, and the wallet is unchanged', async () => {
  const { work, joining, old, fresh, userId } = await twoDevices()
  const { publicKey: deviceKey } = await deriveRecoveryKeyPair(randomBytes(32))
  const before = { askId: createRandomId(), deviceKey, commitment: toBase64Url(randomBytes(32)) }
  const row = {
    id: before.askId,
    user_id: userId,
    device_id: fresh.deviceId,
    device_key: deviceKey,
    commitment: before.commitment,
    nonce: null,
    met_by: null,
    met_nonce: null,
    met_key: null,
    change_id: null,
    refused_at: null,
    expires_at: new Date(time.nowMs + 60_000),
    version: 1,
  }
  await server.db.insertInto('enrollments').values(row).execute()
  const { askId } = before
  const nonce = freshNonce()
  const calls = [
    await fresh.ask('/api/enroll/ask', before),
    await fresh.ask('/api/enroll/poll', { askId }),
    await fresh.ask('/api/enroll/reveal', { askId, nonce }),
    await old.ask('/api/enroll/meet', { askId, nonce }),
    await old.ask('/api/enroll/answer', { askId }),
  ]
  for (const { status, json } of calls) {
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain('start again')
  }
  expect((await old.ask('/api/enroll/asks', {})).json).toEqual({ asks: [] })
  await expect(work.words({ askId })).rejects.toEqual(refused('ENROLMENT_STOPPED'))
  await expect(joining.poll({ askId })).rejects.toThrow('Start again on the new device')
  expect(await work.getStatus({})).toMatchObject({ status: 'ready' })
  await work.signEvmMessage({ message: '0x00' })
  expect(await enrol({ work, joining })).toMatchObject({ status: 'enrolled' })
})

test('behavior: words differ with every part they are made of', () => {
  const device = { id: 'id', key: 'key' }
  const base = {
    askId: 'ask',
    newDevice: device,
    commitment: 'c',
    oldDevice: { id: 'old', key: 'old' },
    newNonce: 'new',
    oldNonce: 'old',
    addresses: { eip155: '0x1', solana: 's' },
  }
  const words = [
    base,
    { ...base, askId: 'other' },
    { ...base, commitment: 'other' },
    { ...base, newDevice: { ...device, key: 'other' } },
    { ...base, newDevice: { ...device, id: 'other' } },
    { ...base, oldDevice: { ...base.oldDevice, key: 'other' } },
    { ...base, oldDevice: { ...base.oldDevice, id: 'other' } },
    { ...base, newNonce: 'other' },
    { ...base, oldNonce: 'other' },
    { ...base, addresses: { eip155: '0x2', solana: 's' } },
    { ...base, addresses: { eip155: '0x1', solana: 't' } },
  ].map(compareWords)
  expect(new Set(words).size).toBe(words.length)
})
