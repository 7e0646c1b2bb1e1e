import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, allow } from '../../../test/addDevice.ts'
import { Killed, killAt } from '../../../test/killAt.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import { createKit } from '../recovery/kit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

const kitOf = () => ({ factors: [{ kind: 'kit' as const, kit: createKit() }] })
const stepsMax = 80

/** Runs what a killed browser does; anything else than the kill is a failure. */
async function untilKilled<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
    return undefined
  })
}

test('behavior: a browser killed at any step of creating a fresh wallet goes on with the same one', {
  timeout: 240_000,
}, async () => {
  for (let step = 1; step < stepsMax; step++) {
    time.nowMs += 3_600_000
    const userId = await addUser(server)
    const device = await addDevice(server, { userId })
    const old = (await createKeyWork(device).create(kitOf())).addresses
    const { count, vault } = killAt(step, device)
    const shown = await untilKilled(createKeyWork(vault).createFresh(kitOf()))
    const work = createKeyWork(device)
    expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
    const { addresses } = await work.createFresh(kitOf())
    if (shown) expect(addresses).toEqual(shown.addresses)
    const { other } = await work.readWallets({})
    expect(other?.addresses).toEqual(addresses)
    await work.signEvmMessage({ message: '0x00' })
    if (!count.reached) return
  }
  throw new Error('it never came to its end')
})

test('behavior: a browser killed at any step of the move, back and of the drop has both wallets, and goes on', {
  timeout: 480_000,
}, async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  const old = (await work.create(kitOf())).addresses
  time.nowMs += 1_000
  const fresh = (await work.createFresh(kitOf())).addresses
  const { current, other } = await work.readWallets({})
  const ids = { old: current.walletId, fresh: other?.walletId ?? '' }
  const confirm = async (action: string) => {
    await server.db.deleteFrom('step_ups').where('action', '=', action).execute()
    await allow(server, device, action)
  }
  const move = async (walletId: string, addresses: typeof old) => {
    for (let step = 1; step < stepsMax; step++) {
      time.nowMs += 3_600_000
      await confirm(`use ${walletId}`)
      const back = walletId === ids.fresh ? ids.old : ids.fresh
      const { count, vault } = killAt(step, device)
      await untilKilled(createKeyWork(vault).moveTo({ walletId }))
      const after = createKeyWork(device)
      const status = await after.getStatus({})
      expect(status.status).toBe('ready')
      await after.signEvmMessage({ message: '0x00' })
      expect((await after.moveTo({ walletId })).addresses).toEqual(addresses)
      expect(await after.getStatus({})).toMatchObject({ status: 'ready', addresses })
      if (!count.reached) return
      await confirm(`use ${back}`)
      await after.moveTo({ walletId: back })
    }
    throw new Error('it never came to its end')
  }
  await move(ids.fresh, fresh)
  await move(ids.old, old)
  await confirm(`use ${ids.fresh}`)
  await createKeyWork(device).moveTo({ walletId: ids.fresh })
  for (let step = 1; step < stepsMax; step++) {
    time.nowMs += 3_600_000
    const { other: left } = await createKeyWork(device).readWallets({})
    const drop = { walletId: left?.walletId ?? '', realm: left?.realm ?? '' }
    await confirm(`drop ${drop.walletId}`)
    const { count, vault } = killAt(step, device)
    await untilKilled(createKeyWork(vault).dropOther(drop))
    const after = createKeyWork(device)
    expect(await after.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
    await after.dropOther(drop)
    expect((await after.readWallets({})).other).toBeUndefined()
    await after.createFresh(kitOf())
    if (!count.reached) return
  }
  throw new Error('it never came to its end')
})
