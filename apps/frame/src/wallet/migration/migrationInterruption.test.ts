import { soak } from '@latchkey/dev/soak'
import { keepRows } from '@latchkey/server/test/openTestDatabase'
import { isError, type VaultState } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, allow } from '../../../test/addDevice.ts'
import { Killed, killAt } from '../../../test/killAt.ts'
import {
  addBrowser,
  allowDrop,
  createKeptStore,
  makeTwoWallets,
  readHolders,
} from '../../../test/migration/twoWallets.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import type { KeyStore } from '../keyStore.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

const maxSteps = 100
/** A browser is killed at every so many steps. */
const stride = soak(1, 4)

/** Runs what a killed browser does; anything else than the kill is a failure. */
async function untilKilled<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
    return undefined
  })
}

/**
 * Prepares a browser and its user once. `restore` puts the database and the browser's store back as
 * they were then.
 */
async function prepareOnce<T>(prepare: (store: KeyStore) => Promise<T>) {
  const { store, keep } = createKeptStore()
  const prepared = await prepare(store)
  const [restoreStore, restoreRows] = [keep(), await keepRows(server.db)]
  const restore = async () => {
    restoreStore()
    await restoreRows()
  }
  return { ...prepared, restore }
}

/**
 * Kills a browser at one step of `work` after the other, until it comes to its end; each time after
 * `restore`.
 */
async function killAtEach(
  round: (step: number) => Promise<boolean>,
  restore = async () => {},
): Promise<void> {
  for (let step = 1; step < maxSteps; step += stride) {
    time.nowMs += 3_600_000
    await restore()
    if (!(await round(step))) return
  }
  throw new Error('it never came to its end')
}

test('behavior: after a kill at any step of creating a new wallet, the kept kit opens it', async () => {
  const { device, old, restore } = await prepareOnce(async (store) => {
    const device = await addDevice(server, { userId: await addUser(server), store })
    const kit = { kind: 'kit' as const, kit: createRecoveryKit() }
    return { device, old: (await createKeyWork(device).create({ factors: [kit] })).addresses }
  })
  await killAtEach(async (step) => {
    await allow(server, device, 'fresh wallet')
    const { count, vault } = killAt(step, device)
    const [first, second] = [createRecoveryKit(), createRecoveryKit()]
    await untilKilled(createKeyWork(vault).createReplacement({ kit: first }))
    const work = createKeyWork(device)
    expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
    // A committed wallet is available at once, even if the browser had not noted the commit.
    const { other } = await work.readWallets({})
    if (other) expect(other).toMatchObject({ isNewer: true, isHeld: true })
    const made = await work.createReplacement({ kit: second }).then(
      () => true,
      (error: unknown) => {
        if (!isError(error, 'WALLET_EXISTS')) throw error
        return false
      },
    )
    expect(made).toBe(other === undefined)
    if (!made) await work.createReplacement({ kit: first })
    const [kept, other2] = made ? [second, first] : [first, second]
    await expect(work.migrate({ kit: other2 })).rejects.toSatisfy((error) =>
      isError(error, 'RECOVERY_FAILED'),
    )
    await work.migrate({ kit: kept })
    await work.signEvmMessage({ message: '0x00' })
    return count.reached
  }, restore)
})

test('behavior: a browser killed at any step of the move has both wallets, and the move continues', async () => {
  const { device, old, kit, ids, restore } = await prepareOnce((store) =>
    makeTwoWallets(server, { store }),
  )
  await killAtEach(async (step) => {
    const { count, vault } = killAt(step, device)
    await untilKilled(createKeyWork(vault).migrate({ kit }))
    const work = createKeyWork(device)
    const status = await work.getStatus({})
    expect(status.status).toBe('ready')
    await work.signEvmMessage({ message: '0x00' })
    const { addresses: fresh } = await work.migrate({ kit })
    expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
    const rows = await server.db
      .selectFrom('wallet_moves')
      .select('from_wallet')
      .where('user_id', '=', device.userId)
      .execute()
    expect(rows).toEqual([{ from_wallet: ids.old }])
    expect((await work.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
    await work.signEvmMessage({ message: '0x00' })
    return count.reached
  }, restore)
})

test('behavior: a browser killed at any step of bringing a wallet by its kit brings it the next time', async () => {
  const { userId, old, oldKit, work, kit } = await makeTwoWallets(server)
  const { addresses: fresh } = await work.migrate({ kit })
  for (const [text, addresses] of [
    [kit, fresh],
    [oldKit, old],
  ] as const)
    await killAtEach(async (step) => {
      const { device } = await addBrowser(server, { userId })
      const secret = { kind: 'kit' as const, kit: text }
      const { count, vault } = killAt(step, device)
      await untilKilled(createKeyWork(vault).recover({ secret }))
      const after = createKeyWork(device)
      expect((await after.getStatus({})).status).toMatch(/ready|not-enrolled/)
      expect(await after.recover({ secret })).toEqual({ addresses })
      if (text === oldKit) {
        expect(await after.getStatus({})).toMatchObject({ movedFrom: 'main' })
        await after.chooseWallet({ realm: 'main' })
      }
      expect(await after.getStatus({})).toMatchObject({ status: 'ready', addresses })
      return count.reached
    })
})

test('error: after a kill at any step of a recovery, a lying server brings no foreign wallet', async () => {
  const { userId, work, kit, ids } = await makeTwoWallets(server)
  const { addresses } = await work.migrate({ kit })
  const foreign = (await makeTwoWallets(server)).device
  const { wallet } = (await foreign.call('/api/wallet', {})) as VaultState
  const kinds = new Set<string>()
  await killAtEach(async (step) => {
    const { device } = await addBrowser(server, { userId })
    const { count, vault } = killAt(step, device)
    const secret = { kind: 'kit' as const, kit }
    await untilKilled(createKeyWork(vault).recover({ secret }))
    const isHeld = (await readHolders(server, ids.fresh)).includes(device.deviceId)
    // It names another wallet at once, and hides the user's.
    const misled = createKeyWork({
      ...device,
      call: async (path, body) => {
        const result = await device.call(path, body)
        if (path !== '/api/wallet') return result
        const { realm = 'main-10' } = body as { realm?: string }
        const { moves: _, other: __, ...state } = result as VaultState
        return { ...state, realm, wallet: realm === 'main-10' ? wallet : undefined }
      },
    })
    const { status } = await misled.getStatus({})
    kinds.add(status)
    if (isHeld) {
      expect(status).toBe('quarantined')
      await expect(misled.startAssisted({ realm: 'main-10' })).rejects.toSatisfy((error) =>
        isError(error, 'RECOVERY_FAILED'),
      )
      expect(await createKeyWork(device).getStatus({})).toMatchObject({
        status: 'ready',
        addresses,
      })
    }
    return count.reached
  })
  expect([...kinds].sort()).toEqual(['not-enrolled', 'quarantined'])
})

test('behavior: a browser killed at any step of choosing a wallet or of a drop continues', async () => {
  const { device, ids, fresh, restore } = await prepareOnce(async (store) => {
    const two = await makeTwoWallets(server, { store })
    return { ...two, fresh: (await two.work.migrate({ kit: two.kit })).addresses }
  })
  await killAtEach(async (step) => {
    const { count, vault } = killAt(step, device)
    await untilKilled(createKeyWork(vault).chooseWallet({ realm: 'main' }))
    expect(await createKeyWork(device).getStatus({})).toMatchObject({ status: 'ready' })
    await createKeyWork(device).chooseWallet({ realm: ids.realm })
    return count.reached
  })
  await killAtEach(async (step) => {
    const drop = { walletId: ids.old, realm: 'main' }
    await allowDrop(server, device, drop.walletId)
    const { count, vault } = killAt(step, device)
    await untilKilled(createKeyWork(vault).dropOther(drop))
    const after = createKeyWork(device)
    expect(await after.getStatus({})).toMatchObject({ status: 'ready' })
    await after.dropOther(drop)
    expect((await after.readWallets({})).other).toBeUndefined()
    return count.reached
  }, restore)
  expect(await createKeyWork(device).getStatus({})).toMatchObject({ addresses: fresh })
})
