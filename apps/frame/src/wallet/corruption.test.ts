import { soak } from '@latchkey/dev/soak'
import { isError } from '@latchkey/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDevice, type Device } from '../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import { fromBase64Url, randomBytes, toBase64Url, toBytes } from './crypto/bytes.ts'
import { hpkeOpen, hpkeSeal } from './crypto/hpke.ts'
import { combineShares, splitKey } from './crypto/splitKey.ts'
import { createMemoryStore } from './keyStore.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import {
  browserKeys,
  type DeviceSplit,
  readRecord,
  type WalletRecord,
  writeRecord,
} from './walletRecord.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

/** A device whose answers a test may change, with a wallet. */
async function makeWallet(userId?: string) {
  const owner = userId ?? (await addUser(server))
  const tampering: { change?: ((path: string, result: unknown) => unknown) | undefined } = {}
  const device = await addDevice(server, {
    userId: owner,
    tamper: (path, result) => tampering.change?.(path, result) ?? result,
  })
  const kit = createRecoveryKit()
  const work = createKeyWork(device)
  const { addresses } = await work.create({ factors: [{ kind: 'kit', kit }] })
  return { device, work, addresses, kit, tampering }
}
type Made = Awaited<ReturnType<typeof makeWallet>>

const sign = (made: Made) => {
  time.nowMs += 13_000
  return made.work.signEvmMessage({ message: '0x00' })
}

/**
 * Signing is refused, now and afterwards, with no other address; and again possible once all is as
 * it was.
 */
async function expectQuarantine(made: Made) {
  await expect(sign(made)).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
  const record = await recordOf(made.device)
  expect(record.quarantine).toEqual(expect.any(String))
  expect(record.addresses).toEqual(made.addresses)
}

async function expectWell(made: Made) {
  time.nowMs += 13_000
  expect(await made.work.recheck({})).toMatchObject({ status: 'ready', addresses: made.addresses })
}

async function recordOf({ store, userId }: Device): Promise<WalletRecord> {
  const record = await readRecord(store, { userId, realm: 'main' })
  if (!record) throw new Error('no record')
  return record
}

const flipped = (text: string, at: number): string => {
  const bytes = fromBase64Url(text)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
  return toBase64Url(bytes)
}
/**
 * The bytes that a test changes in data of this length: each one in a soak; otherwise the first
 * four, every 16th and the last.
 */
const positions = (length: number) =>
  Array.from({ length }, (_, at) => at).filter(
    (at) => at < 4 || at % soak(1, 16) === 0 || at === length - 1,
  )
const bytesOf = (text: string) => fromBase64Url(text).length

describe('corrupt shares: shares and seed', () => {
  test.each(['wrappedShare', 'sealedSeed'] as const)(
    'corrupt shares: bytes of %s on the device, flipped',
    async (name) => {
      const made = await makeWallet()
      const whole = await recordOf(made.device)
      const deviceSplit = whole.current as DeviceSplit
      for (const part of ['iv', 'ct'] as const)
        for (const at of positions(bytesOf(deviceSplit[name][part]))) {
          const sealed = { ...deviceSplit[name], [part]: flipped(deviceSplit[name][part], at) }
          await writeRecord(made.device.store, {
            ...whole,
            current: { ...deviceSplit, [name]: sealed },
          })
          await expectQuarantine(made)
        }
      await writeRecord(made.device.store, whole)
      await expectWell(made)
      await sign(made)
    },
  )

  test("corrupt shares: bytes of the server's share on its way, flipped", async () => {
    const made = await makeWallet()
    const keep = await recordOf(made.device)
    for (const part of ['enc', 'ct'] as const) {
      for (const at of positions(part === 'enc' ? 65 : 49)) {
        made.tampering.change = (path, result) => {
          if (path !== '/api/share') return undefined
          const { sealed, ...rest } = result as { sealed: { enc: string; ct: string } }
          return { ...rest, sealed: { ...sealed, [part]: flipped(sealed[part], at) } }
        }
        await expectQuarantine(made)
        await writeRecord(made.device.store, keep)
      }
    }
    made.tampering.change = undefined
    await expectWell(made)
  })

  test('corrupt shares: bytes of the share itself, well sealed by a server that means ill', async () => {
    const made = await makeWallet()
    const keep = await recordOf(made.device)
    const browser = await browserKeys(made.device.store)
    for (const at of [...positions(33), 33]) {
      time.nowMs += 13_000
      const answer = (await made.device.call('/api/share', {})) as {
        changeId: string
        epoch: number
        sealed: { enc: string; ct: string }
      }
      const { changeId, epoch, sealed } = answer
      const context = ['share', keep.walletId, made.device.deviceId, changeId, epoch]
      const share = await hpkeOpen(browser.device, sealed, context)
      // The last round cuts it short instead.
      const bad = at === 33 ? share.slice(0, 32) : share
      if (at < 33) bad[at] = (bad[at] ?? 0) ^ 1
      const again = await hpkeSeal(browser.deviceKey, toBytes(bad), context)
      made.tampering.change = (path) =>
        path === '/api/share' ? { changeId, epoch, sealed: again } : undefined
      await expectQuarantine(made)
      made.tampering.change = undefined
      await writeRecord(made.device.store, keep)
    }
    await expectWell(made)
  })

  test("corrupt shares: bytes of the server's share at rest, flipped: nothing is released", async () => {
    const made = await makeWallet()
    const { db } = server
    const where = { slot: made.device.deviceId }
    const { share_sealed: whole } = await db
      .selectFrom('wallet_slots')
      .select('share_sealed')
      .where('slot', '=', where.slot)
      .executeTakeFirstOrThrow()
    const put = (bytes: Uint8Array) =>
      db
        .updateTable('wallet_slots')
        .set({ share_sealed: bytes })
        .where('slot', '=', where.slot)
        .execute()
    for (const at of positions(whole.length)) {
      const bad = Uint8Array.from(whole)
      bad[at] = (bad[at] ?? 0) ^ 1
      await put(bad)
      await expect(sign(made)).rejects.toSatisfy((error) => isError(error, 'VAULT_UNAVAILABLE'))
    }
    await put(whole.subarray(0, 20))
    await expect(sign(made)).rejects.toSatisfy((error) => isError(error, 'VAULT_UNAVAILABLE'))
    await put(whole)
    await sign(made)
  })

  test('corrupt shares: bytes of the recovery share, flipped: no recovery and no other wallet', async () => {
    const made = await makeWallet()
    const tampering: { at: number; part: 'enc' | 'ct' } = { at: 0, part: 'enc' }
    for (const part of ['enc', 'ct'] as const)
      for (const at of positions(part === 'enc' ? 65 : 49)) {
        time.nowMs += 8 * 3_600_000 + 1000
        tampering.at = at
        tampering.part = part
        const other = await addDevice(server, {
          userId: made.device.userId,
          tamper(path, result) {
            if (path !== '/api/recovery/shares') return result
            const answer = result as { sealedRecoveryShare: { enc: string; ct: string } }
            const { sealedRecoveryShare: sealed } = answer
            return {
              ...answer,
              sealedRecoveryShare: { ...sealed, [part]: flipped(sealed[part], at) },
            }
          },
        })
        const recovered = createKeyWork(other).recover({ secret: { kind: 'kit', kit: made.kit } })
        await expect(recovered).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
        expect(await readRecord(other.store, { ...other, realm: 'main' })).toBeUndefined()
      }
  })

  test('corrupt shares: rows swapped between users and between devices of one user open nothing', async () => {
    const [one, two] = [await makeWallet(), await makeWallet()]
    const { db } = server
    const read = (slot: string) =>
      db
        .selectFrom('wallet_slots')
        .select('share_sealed')
        .where('slot', '=', slot)
        .executeTakeFirstOrThrow()
    const put = (slot: string, share_sealed: Uint8Array) =>
      db.updateTable('wallet_slots').set({ share_sealed }).where('slot', '=', slot).execute()
    const own = await read(one.device.deviceId)
    await put(one.device.deviceId, (await read(two.device.deviceId)).share_sealed)
    await expect(sign(one)).rejects.toSatisfy((error) => isError(error, 'VAULT_UNAVAILABLE'))
    const spare = await db
      .selectFrom('wallet_slots')
      .select('share_sealed')
      .where('slot', '=', 'recovery')
      .where('wallet_id', '=', (await recordOf(one.device)).walletId)
      .executeTakeFirstOrThrow()
    await put(one.device.deviceId, spare.share_sealed)
    await expect(sign(one)).rejects.toSatisfy((error) => isError(error, 'VAULT_UNAVAILABLE'))
    await put(one.device.deviceId, own.share_sealed)
    await sign(one)
  })

  test("corrupt shares: another user's record, put in this one's place, is refused", async () => {
    const [one, two] = [await makeWallet(), await makeWallet()]
    const mine = await recordOf(one.device)
    const theirs = await recordOf(two.device)
    await writeRecord(one.device.store, { ...theirs, userId: mine.userId, walletId: mine.walletId })
    await expect(sign(one)).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
    await one.device.store.put(`wallet ${mine.userId}`, theirs)
    await expect(sign(one)).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
    expect(await one.work.getStatus({})).toMatchObject({ status: 'quarantined' })
  })
})

describe('swapped wallet: substitution and rollback', () => {
  test("swapped wallet: another wallet's valid seed, share and split do not pass for ours", async () => {
    const [one, two] = [await makeWallet(), await makeWallet()]
    const state = await two.device.call('/api/wallet', {})
    one.tampering.change = (path) =>
      path === '/api/wallet' ? { ...(state as object), userId: one.device.userId } : undefined
    const work = createKeyWork(one.device)
    expect(await work.getStatus({})).toMatchObject({
      status: 'quarantined',
      addresses: one.addresses,
    })
    await expect(
      work.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] }),
    ).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
    one.tampering.change = undefined
    expect(await createKeyWork(one.device).getStatus({})).toMatchObject({ status: 'ready' })
  })

  test('swapped wallet: a server that forgets the wallet gets no new one', async () => {
    const made = await makeWallet()
    made.tampering.change = (path, result) => {
      if (path !== '/api/wallet') return undefined
      const { wallet: _, ...rest } = result as Record<string, unknown>
      return rest
    }
    await expect(
      made.work.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] }),
    ).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
    expect((await recordOf(made.device)).addresses).toEqual(made.addresses)
  })

  test('swapped wallet: on a new device the kit vouches for the wallet: any other wallet is refused', async () => {
    const [one, two] = [await makeWallet(), await makeWallet()]
    const theirs = (await two.device.call('/api/wallet', {})) as { wallet: object }
    const ours = (await one.device.call('/api/wallet', {})) as { wallet: { factors: unknown } }
    const other = await addDevice(server, {
      userId: one.device.userId,
      tamper: (path, result) =>
        path === '/api/wallet'
          ? { ...(result as object), wallet: { ...theirs.wallet, factors: ours.wallet.factors } }
          : result,
    })
    const recovered = createKeyWork(other).recover({ secret: { kind: 'kit', kit: one.kit } })
    await expect(recovered).rejects.toSatisfy((error) => isError(error, 'RECOVERY_FAILED'))
    expect(await readRecord(other.store, { ...other, realm: 'main' })).toBeUndefined()
  })

  test('swapped wallet: an older epoch is refused', async () => {
    const made = await makeWallet()
    const wallet = await made.device.call('/api/wallet', {})
    time.nowMs += 13_000
    const share = await made.device.call('/api/share', {})
    await made.work.rotate({})
    made.tampering.change = (path) =>
      path === '/api/wallet' ? wallet : path === '/api/share' ? share : undefined
    await expectQuarantine(made)
    made.tampering.change = undefined
    await expectWell(made)
  })
})

test('revoked device: a revoked device gets nothing, and its share is noise with any other', async () => {
  const made = await makeWallet()
  const second = await addDevice(server, { userId: made.device.userId })
  const work = createKeyWork(second)
  await work.recover({ secret: { kind: 'kit', kit: made.kit } })
  const browser = await browserKeys(made.device.store)
  const record = await recordOf(made.device)
  const revoked = await second.ask('/api/devices/revoke', { id: made.device.deviceId })
  expect(revoked.status).toBe(200)
  time.nowMs += 13_000
  expect(await made.device.ask('/api/share', {})).toMatchObject({
    status: 401,
    json: { code: 'SIGNED_OUT' },
  })
  const rows = await server.db
    .selectFrom('wallet_slots')
    .select('slot')
    .where('wallet_id', '=', record.walletId)
    .execute()
  expect(rows.map(({ slot }) => slot).sort()).toEqual(['recovery', second.deviceId].sort())
  await work.signEvmMessage({ message: '0x00' })
  // Shares of two splits do not combine: they give noise, or an error if both were drawn for the
  // same place.
  const key = randomBytes(32)
  const [a, b] = [await splitKey(key), await splitKey(key)]
  expect(await combineShares(a.device, b.server).catch(() => undefined)).not.toEqual(key)
  expect(browser.wrap.extractable).toBe(false)
  await expect(crypto.subtle.exportKey('raw', browser.wrap)).rejects.toThrow()
})

test('error: a store that gives back something else is never taken for an empty one', async () => {
  const userId = await addUser(server)
  const store = createMemoryStore()
  await store.put(`wallet ${userId}`, { v: 1 })
  const device = await addDevice(server, { userId, store })
  const work = createKeyWork(device)
  expect(await work.getStatus({})).toMatchObject({ status: 'quarantined' })
  await expect(
    work.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] }),
  ).rejects.toSatisfy((error) => isError(error, 'WALLET_QUARANTINED'))
})

test('error: after another tab has signed in again nothing is signed, and the wallet is not quarantined', async () => {
  const store = createMemoryStore()
  const userId = await addUser(server)
  const first = await addDevice(server, { userId, store })
  const stranger = await addDevice(server, { userId: await addUser(server), store })
  const again = await addDevice(server, { userId, store })
  const tabs = { session: first }
  const work = createKeyWork({ ...first, call: (path, body) => tabs.session.call(path, body) })
  const kit = { kind: 'kit', kit: createRecoveryKit() } as const
  const { addresses } = await work.create({ factors: [kit] })
  await createKeyWork(stranger).create({ factors: [kit] })
  await work.signEvmMessage({ message: '0x00' })
  const expectStopped = async (owner: Device) => {
    time.nowMs += 13_000
    await expect(work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy((error) =>
      isError(error, 'SIGNED_OUT'),
    )
    expect(await createKeyWork(owner).getStatus({})).toMatchObject({ status: 'ready', addresses })
  }
  tabs.session = stranger
  await expectStopped(first)
  await createKeyWork(again).recover({ secret: kit })
  tabs.session = again
  await expectStopped(again)
})
