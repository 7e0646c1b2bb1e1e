import type { VaultState } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { addDevice, type Device } from '../../../test/addDevice.ts'
import { respondFalsely } from '../../../test/migration/respondFalsely.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import { createDurableStore, makeTwoWallets } from '../../../test/migration/twoWallets.ts'
import { addUser, failsWith, type VaultServer } from '../../../test/startVault.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { deleteRecord } from '../walletRecord.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { findMigrationPin } from './migrationPin.ts'

/*
 * The wallets that a browser has used, with frames of earlier versions. This server sends no email:
 * MAIL_NOT_SENT shows that the operator received the request.
 */

let server: VaultServer
const time = runVault((started) => {
  server = started
})

const id = 'a'.repeat(32)
const pinOf = (userId: string) => `move ${userId}`
const usedOf = (userId: string) => `used ${userId}`

/** A browser that has created its wallet, and was closed. */
async function createAlone() {
  const userId = await addUser(server)
  const store = createDurableStore()
  const device = await addDevice(server, { userId, store })
  const work = createKeyWork(device)
  const factors = [
    { kind: 'operator' as const },
    { kind: 'kit' as const, kit: createRecoveryKit() },
  ]
  const { addresses } = await work.create({ factors })
  const { wallet } = (await device.call('/api/wallet', {})) as VaultState
  if (!wallet) throw new Error('there is no wallet')
  return { userId, store, device, work, used: [{ walletId: wallet.id, realm: 'main', addresses }] }
}

/**
 * Expects that a server which shows an attacker's wallet under every name cannot bring it by email.
 */
async function refusesForeign(device: Device, realm: string) {
  const other = await createAlone()
  const { wallet } = (await other.device.call('/api/wallet', {})) as VaultState
  const shown = { ...wallet, slot: undefined }
  const misled = respondFalsely(device, (state) => ({ ...state, realm, wallet: shown }))
  await expect(misled.finishAssisted({ id, realm })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
}

test('behavior: an earlier frame reads what is pinned, strictly as it knows it', async () => {
  const { userId, store, used, work } = await createAlone()
  await work.getStatus({})
  expect(await store.get(pinOf(userId))).toBeUndefined()
  expect(await store.get(usedOf(userId))).toEqual(used)
  const two = await makeTwoWallets(server)
  await two.work.migrate({ kit: two.kit })
  await two.work.getStatus({})
  const pin = (await two.device.store.get(pinOf(two.userId))) as object
  expect(Object.keys(pin).sort()).toEqual(['moves', 'realm', 'v'])
  expect(await two.device.store.get(usedOf(two.userId))).toHaveLength(2)
})

test('error: a browser with a damaged or lost record takes no other wallet by email', async () => {
  for (const lost of [undefined, { v: 1, broken: true }]) {
    time.nowMs += 3_600_000
    const { userId, store, device, work, used } = await createAlone()
    if (lost) await store.put(`wallet ${userId}`, lost)
    else await deleteRecord(store, { userId, realm: 'main' })
    await refusesForeign(device, 'main')
    await refusesForeign(device, 'main-10')
    await expect(work.startAssisted({})).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
    expect(await findMigrationPin(store, userId)).toMatchObject({ realm: 'main', used })
  }
})

test('behavior: wallets that an earlier frame has stored in the pin stay known', async () => {
  const { userId, store, device, work, used } = await createAlone()
  await store.delete(usedOf(userId))
  await store.put(pinOf(userId), { v: 1, realm: 'main', moves: [], used })
  await deleteRecord(store, { userId, realm: 'main' })
  await refusesForeign(device, 'main')
  await expect(work.startAssisted({})).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
})

test('behavior: a browser that lost its record early recovers only the pinned realm’s wallet by email', async () => {
  const { userId, store, device, work } = await createAlone()
  await store.delete(usedOf(userId))
  await store.put(pinOf(userId), { v: 1, realm: 'main', moves: [] })
  await deleteRecord(store, { userId, realm: 'main' })
  await refusesForeign(device, 'main-10')
  await expect(work.startAssisted({})).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
})

test('error: what was used and cannot be read is no wallet that was never known', async () => {
  const { userId, store, device, work } = await createAlone()
  await store.put(usedOf(userId), [{ walletId: 'x' }])
  expect(await work.getStatus({})).toMatchObject({ status: 'quarantined' })
  await deleteRecord(store, { userId, realm: 'main' })
  await refusesForeign(device, 'main')
})

test('behavior: a browser that cannot store its used wallets still starts, and stores them the next time', async () => {
  const { userId, store, device, used } = await createAlone()
  await store.delete(usedOf(userId))
  const full = {
    ...store,
    put: () => Promise.reject(new DOMException('the disk is full', 'QuotaExceededError')),
  }
  const atFull = createKeyWork({ ...device, store: full })
  expect(await atFull.getStatus({})).toMatchObject({ status: 'ready' })
  expect(await store.get(usedOf(userId))).toBeUndefined()
  expect(await createKeyWork(device).getStatus({})).toMatchObject({ status: 'ready' })
  expect(await store.get(usedOf(userId))).toEqual(used)
})
