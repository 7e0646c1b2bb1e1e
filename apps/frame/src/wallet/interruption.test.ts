import { rm } from 'node:fs/promises'
import { soak } from '@latchkey/dev/soak'
import { commitWalletRoute } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { Killed, killAt } from '../../test/killAt.ts'
import { spawnVault } from '../../test/spawnVault.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import { watchStore } from '../../test/watchStore.ts'
import { createMemoryStore } from './keyStore.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import type { VaultCall } from './vaultServer.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

const factors = (kit = createRecoveryKit()) => ({ factors: [{ kind: 'kit' as const, kit }] })
const stepsMax = 80
/** A browser is killed at every so many steps. */
const stride = soak(1, 4)

test('killed while creating: a browser killed at any step finds its wallet, or showed none', async () => {
  let steps = 0
  for (let step = 1; step < stepsMax; step += stride) {
    time.nowMs += 3_600_000
    const userId = await addUser(server)
    const device = await addDevice(server, { userId })
    const { count, vault } = killAt(step, device)
    const shown = await createKeyWork(vault)
      .create(factors())
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
        return undefined
      })
    const work = createKeyWork(device)
    await work.getStatus({})
    const { addresses } = await work.create(factors())
    if (shown) expect(addresses).toEqual(shown.addresses)
    await work.signEvmMessage({ message: '0x00' })
    const rows = await server.db
      .selectFrom('wallets')
      .select('eip155')
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toEqual([{ eip155: addresses.eip155 }])
    steps = step
    if (!count.reached) break
  }
  expect(steps).toBeGreaterThan(12)
  expect(steps).toBeLessThan(stepsMax - stride)
})

test.each(['rotate', 'reshareKey'] as const)(
  'killed while changing: a browser killed at any step of %s still has the wallet',
  async (change) => {
    const userId = await addUser(server)
    const store = createMemoryStore()
    const device = await addDevice(server, { userId, store })
    const kit = createRecoveryKit()
    const { addresses } = await createKeyWork(device).create(factors(kit))
    for (let step = 1; step < stepsMax; step += stride) {
      time.nowMs += 3_600_000
      const { count, vault } = killAt(step, device)
      await createKeyWork(vault)
        [change]({})
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error
        })
      const work = createKeyWork(device)
      await work.signEvmMessage({ message: '0x00' })
      expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
      await work.signEvmMessage({ message: '0x00' })
      if (!count.reached) return
    }
    throw new Error('it never came to its end')
  },
)

test('killed while creating: after the server is killed at any step, one usable wallet exists', async () => {
  const paths = ['/api/wallet/prepare', '/api/share', '/api/wallet/commit'] as const
  const all = paths.flatMap((path) => [
    { path, when: 'before' as const },
    { path, when: 'during' as const },
    { path, when: 'after' as const },
  ])
  const points = all.filter((_, at) => at % stride === 0)
  // What a killed server does to PostgreSQL in its own directory: `nativePostgres.test.ts` of the
  // server.
  const seeded = await startVault()
  const userIds: string[] = []
  const devices: Awaited<ReturnType<typeof addDevice>>[] = []
  const spawned = await spawnVault(seeded)
  for (const _ of points) {
    const userId = await addUser(seeded)
    userIds.push(userId)
    devices.push(await addDevice(seeded, { userId, url: () => spawned.url }))
  }
  await seeded.stop()
  await spawned.start()
  const wallets: string[] = []
  try {
    for (const [index, { path, when }] of points.entries()) {
      const device = devices[index]
      if (!device) throw new Error('no device')
      const { store, lock } = device
      const call: VaultCall = async (asked, body) => {
        if (asked !== path) return device.call(asked, body)
        if (when === 'before') await spawned.kill()
        const answered = device.call(asked, body).then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        )
        if (when === 'during') {
          await new Promise((resolve) => setTimeout(resolve, 15))
          await spawned.kill()
        }
        const answer = await answered
        await spawned.kill()
        throw 'error' in answer ? answer.error : new Killed()
      }
      await expect(createKeyWork({ store, lock, call }).create(factors())).rejects.toThrow()
      await spawned.start()
      const work = createKeyWork(device)
      const { addresses } = await work.create(factors())
      expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
      await work.signEvmMessage({ message: '0x00' })
      wallets.push(addresses.eip155)
    }
  } finally {
    await spawned.stop()
  }
  const after = await startVault({
    env: { DATABASE_URL: seeded.databaseUrl, DATA_DIR: seeded.dir },
  })
  const rows = await after.db.selectFrom('wallets').select(['eip155', 'user_id']).execute()
  expect(rows.length).toBe(points.length)
  for (const [index, userId] of userIds.entries())
    expect(rows.find((row) => row.user_id === userId)?.eip155).toBe(wallets[index])
  await after.remove()
  await rm(seeded.dir, { recursive: true, force: true })
})

test('killed while creating: a change that is never committed is shredded after 15 minutes', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const call: VaultCall = (asked, body) =>
    asked === commitWalletRoute.path ? Promise.reject(new Killed()) : device.call(asked, body)
  await expect(createKeyWork({ ...device, call }).create(factors())).rejects.toBeInstanceOf(Killed)
  const other = await addDevice(server, { userId })
  expect(await createKeyWork(other).getStatus({})).toMatchObject({
    status: 'none',
    elsewhere: true,
  })
  await expect(createKeyWork(other).create(factors())).rejects.toThrow('already has a wallet')
  time.nowMs += 15 * 60_000
  await server.tick()
  const left = await server.db
    .selectFrom('wallet_changes')
    .select('id')
    .where('user_id', '=', userId)
    .execute()
  expect(left).toEqual([])
  const { addresses } = await createKeyWork(other).create(factors())
  expect(await createKeyWork(other).getStatus({})).toMatchObject({ status: 'ready', addresses })
  // The first browser's half is dropped: its address was never shown.
  expect(await createKeyWork(device).getStatus({})).toMatchObject({
    status: 'not-enrolled',
    addresses,
  })
})

test('lost storage: a store whose writes fail makes no wallet, and says so', async () => {
  const device = await addDevice(server, { userId: await addUser(server) })
  const store = watchStore(createMemoryStore(), (step, key) => {
    if (step === 'put' && key.startsWith('wallet '))
      throw new DOMException('full', 'QuotaExceededError')
  })
  await expect(createKeyWork({ ...device, store }).create(factors())).rejects.toThrow('full')
  const { wallet } = (await device.call('/api/wallet', {})) as { wallet?: unknown }
  expect(wallet).toBeUndefined()
})
