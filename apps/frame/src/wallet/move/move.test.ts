import { isError } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, allow } from '../../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import { createMemoryStore } from '../keyStore.ts'
import { createKit } from '../recovery/kit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

const kitOf = (kit = createKit()) => ({ factors: [{ kind: 'kit' as const, kit }] })

/** A browser with a wallet that the operator and a kit recover, and a fresh one beside it. */
async function makeBoth({ kit = createKit(), oldKit = createKit() } = {}) {
  time.nowMs += 3_600_000
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  const both = [{ kind: 'operator' as const }, { kind: 'kit' as const, kit: oldKit }]
  const old = (await work.create({ factors: both })).addresses
  time.nowMs += 1_000
  const fresh = (await work.createFresh(kitOf(kit))).addresses
  const { current, other } = await work.readWallets({})
  if (!other) throw new Error('there is no second wallet')
  const ids = { old: current.walletId, fresh: other.walletId, realm: other.realm }
  return { userId, device, work, old, fresh, ids, kit }
}

const allowUse = (device: Parameters<typeof allow>[1], id: string) =>
  allow(server, device, `use ${id}`)
const allowDrop = (device: Parameters<typeof allow>[1], id: string) =>
  allow(server, device, `drop ${id}`)

const failsWith = (code: Parameters<typeof isError>[1]) => (error: unknown) => isError(error, code)

test('default: a fresh wallet is created, used, and the old one is dropped', async () => {
  const { device, work, old, fresh, ids } = await makeBoth()
  expect(fresh.eip155).not.toBe(old.eip155)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  await expect(work.moveTo({ walletId: ids.fresh })).rejects.toSatisfy(failsWith('STEP_UP_NEEDED'))
  await allowUse(device, ids.fresh)
  expect((await work.moveTo({ walletId: ids.fresh })).addresses).toEqual(fresh)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  await work.signEvmMessage({ message: '0x00' })
  expect((await work.readWallets({})).other).toMatchObject({ addresses: old, isOlder: true })
  const dropped = { walletId: ids.old, realm: 'main' }
  await expect(work.dropOther(dropped)).rejects.toSatisfy(failsWith('STEP_UP_NEEDED'))
  await allowDrop(device, ids.old)
  await work.dropOther(dropped)
  await work.dropOther(dropped)
  expect(await work.readWallets({})).toEqual({ current: { walletId: ids.fresh, addresses: fresh } })
  expect(await device.store.get(`wallet ${device.userId}`)).toBeUndefined()
  const after = createKeyWork(device)
  expect(await after.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  const { factors } = (await device.call('/api/wallet', {})) as { factors?: unknown }
  expect(JSON.stringify(factors ?? [])).not.toContain('operator')
})

test('behavior: the old wallet can be used again, exported, and left again, until it is dropped', async () => {
  const { device, work, old, fresh, ids } = await makeBoth()
  const words = async () => (await work.exportWords({ confirm: 'show the recovery phrase' })).words
  const before = await words()
  await allowUse(device, ids.fresh)
  await allowUse(device, ids.old)
  await work.moveTo({ walletId: ids.fresh })
  expect(await words()).not.toBe(before)
  expect((await work.moveTo({ walletId: ids.old })).addresses).toEqual(old)
  expect(await words()).toBe(before)
  expect((await work.moveTo({ walletId: ids.fresh })).addresses).toEqual(fresh)
  // Once more after a reload: it has happened already.
  const again = createKeyWork(device)
  expect((await again.moveTo({ walletId: ids.fresh })).addresses).toEqual(fresh)
  const rows = await server.db
    .selectFrom('wallet_moves')
    .select('number')
    .where('user_id', '=', device.userId)
    .orderBy('number')
    .execute()
  expect(rows).toEqual([{ number: 2 }, { number: 3 }])
})

test('behavior: another browser of the user follows, and gets the fresh wallet with its kit', async () => {
  const { userId, device, work, old, fresh, ids, kit } = await makeBoth()
  const second = await addDevice(server, { userId })
  const there = createKeyWork(second)
  const { askId } = await there.ask({})
  await work.meet({ askId })
  await there.poll({ askId })
  await work.words({ askId })
  await there.confirm({ askId })
  await work.approve({ askId })
  expect(await there.poll({ askId })).toMatchObject({ status: 'enrolled', addresses: old })
  expect(await there.readWallets({})).toMatchObject({ other: { isOlder: false } })
  expect((await there.readWallets({})).other?.addresses).toBeUndefined()
  await expect(there.createFresh(kitOf())).rejects.toSatisfy(failsWith('WALLET_EXISTS'))
  await allowUse(device, ids.fresh)
  await allowUse(second, ids.fresh)
  await expect(there.moveTo({ walletId: ids.fresh })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  await work.moveTo({ walletId: ids.fresh })
  expect(await there.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: fresh })
  await expect(there.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  const recovered = await there.recover({ secret: { kind: 'kit', kit } })
  expect(recovered.addresses).toEqual(fresh)
  await there.signEvmMessage({ message: '0x00' })
  expect((await there.readWallets({})).other).toMatchObject({ addresses: old, isOlder: true })
})

test('behavior: a browser that only holds the wallet that was left is listed, and can be removed', async () => {
  const oldKit = createKit()
  const { userId, device, work, ids } = await makeBoth({ oldKit })
  const lost = await addDevice(server, { userId })
  const theirs = createKeyWork(lost)
  await theirs.recover({ secret: { kind: 'kit', kit: oldKit } })
  await allowUse(device, ids.fresh)
  await work.moveTo({ walletId: ids.fresh })
  const list = async () => {
    const { devices } = (await device.call('/api/devices/list', {})) as {
      devices: { id: string }[]
    }
    return devices.map(({ id }) => id)
  }
  expect(await list()).toEqual([device.deviceId, lost.deviceId])
  await work.revoke({ id: lost.deviceId })
  expect(await list()).toEqual([device.deviceId])
  await expect(lost.call('/api/share', { realm: 'main' })).rejects.toSatisfy(
    failsWith('SIGNED_OUT'),
  )
  await work.signEvmMessage({ message: '0x00' })
})

test('behavior: what was approved for one account is not signed by the other', async () => {
  const { device, work, old, fresh, ids } = await makeBoth()
  const stale = createKeyWork({ ...device, account: old.eip155 })
  await stale.signEvmMessage({ message: '0x00' })
  await allowUse(device, ids.fresh)
  await work.moveTo({ walletId: ids.fresh })
  await expect(stale.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
    failsWith('WALLET_CHANGED'),
  )
  await createKeyWork({ ...device, account: fresh.eip155 }).signEvmMessage({ message: '0x00' })
})

test('behavior: two browsers that create a fresh wallet at once: one of them does', async () => {
  for (let round = 0; round < 10; round++) {
    time.nowMs += 3_600_000
    const userId = await addUser(server)
    const kit = createKit()
    const devices = [await addDevice(server, { userId }), await addDevice(server, { userId })]
    const [first, second] = devices.map((device) => createKeyWork(device))
    await first?.create(kitOf(kit))
    await second?.recover({ secret: { kind: 'kit', kit } })
    const results = await Promise.allSettled(
      [first, second].map((work) => work?.createFresh(kitOf())),
    )
    const made = results.filter(({ status }) => status === 'fulfilled')
    expect(made).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(isError(result.reason, 'WALLET_EXISTS')).toBe(true)
    const rows = await server.db
      .selectFrom('wallets')
      .select('place')
      .where('user_id', '=', userId)
      .orderBy('place')
      .execute()
    expect(rows).toEqual([{ place: 'current' }, { place: 'other' }])
    for (const work of [first, second]) await work?.signEvmMessage({ message: '0x00' })
    // The one that lost makes nothing of its own out of what it has begun.
    for (const work of [first, second])
      await work?.createFresh(kitOf()).catch((error: unknown) => {
        if (!isError(error, 'WALLET_EXISTS')) throw error
      })
  }
})

test('error: only a browser that holds the wallets creates, moves and drops', async () => {
  const { userId, device, work, ids } = await makeBoth()
  const thief = await addDevice(server, { userId })
  const theirs = createKeyWork({ ...thief, store: createMemoryStore() })
  await expect(theirs.createFresh(kitOf())).rejects.toSatisfy(failsWith('WALLET_NOT_ENROLLED'))
  for (const action of [`use ${ids.fresh}`, `drop ${ids.fresh}`]) await allow(server, thief, action)
  const drop = { walletId: ids.fresh, confirm: 'drop this wallet' }
  await expect(thief.call('/api/wallet/drop', drop)).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  // The owner's signed move in the hands of a browser that holds nothing.
  const kept: unknown[] = []
  const spied = createKeyWork({
    ...device,
    call: async (path, body) => {
      if (path === '/api/wallet/move') kept.push(body)
      return device.call(path, body)
    },
  })
  await expect(spied.moveTo({ walletId: ids.fresh })).rejects.toSatisfy(failsWith('STEP_UP_NEEDED'))
  await expect(thief.call('/api/wallet/move', kept[0])).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  expect(await work.getStatus({})).toMatchObject({ status: 'ready' })
})

test('error: who can recover only the older wallet takes the newer one away in no way', async () => {
  const oldKit = createKit()
  const { userId, work } = await makeBoth({ oldKit })
  const thief = await addDevice(server, { userId })
  const theirs = createKeyWork(thief)
  await theirs.recover({ secret: { kind: 'kit', kit: oldKit } })
  const { other } = await theirs.readWallets({})
  const walletId = other?.walletId ?? ''
  await allowDrop(thief, walletId)
  await allowUse(thief, walletId)
  const realm = other?.realm ?? ''
  for (const attempt of [
    () => theirs.dropOther({ walletId, realm }),
    () => theirs.moveTo({ walletId }),
    () => thief.call('/api/delete', { confirm: 'delete my wallet' }),
  ])
    await expect(attempt()).rejects.toSatisfy(failsWith('WALLET_NOT_ENROLLED'))
  expect((await work.readWallets({})).other?.addresses).toBeDefined()
})
