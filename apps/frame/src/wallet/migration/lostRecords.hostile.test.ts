import type { VaultState } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { addDevice, allow } from '../../../test/addDevice.ts'
import { type Lie, respondFalsely } from '../../../test/migration/respondFalsely.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import {
  addBrowser,
  allowDrop,
  byKit,
  createDurableStore,
  makeTwoWallets,
} from '../../../test/migration/twoWallets.ts'
import { addUser, failsWith, type VaultServer } from '../../../test/startVault.ts'
import { deleteRecord } from '../walletRecord.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { findMigrationPin, writeMigrationPin } from './migrationPin.ts'

/*
 * Tests which wallets a browser still knows once their records are lost or unreadable. This server
 * sends no email: MAIL_NOT_SENT shows that the operator received the request.
 */

let server: VaultServer
runVault((started) => {
  server = started
})

type Two = Awaited<ReturnType<typeof makeTwoWallets>>
type Browser = Pick<Two, 'device' | 'work'>
const id = 'a'.repeat(32)
const keyOf = (userId: string, realm: string) =>
  realm === 'main' ? `wallet ${userId}` : `wallet ${userId} ${realm}`

/** Makes the stored record of a wallet unreadable. */
const damage = ({ device }: Browser, realm: string) =>
  device.store.put(keyOf(device.userId, realm), { v: 1, broken: true })

/** A server that shows an attacker's wallet under every name. */
async function showForeign(): Promise<Lie> {
  const { device } = await makeTwoWallets(server)
  const { wallet } = (await device.call('/api/wallet', {})) as VaultState
  if (!wallet) throw new Error('there is no wallet')
  const { slot: _, ...foreign } = wallet
  return (state, { realm = state.realm }) => ({ ...state, realm, wallet: foreign })
}

const asksOperator = (work: Browser['work'], realm: string) =>
  expect(work.startAssisted({ realm })).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))

const isRefused = (work: Browser['work'], realm: string) =>
  expect(work.finishAssisted({ id, realm })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))

test('behavior: a record that cannot be read stops nothing that is done with the other wallet', async () => {
  const two = await makeTwoWallets(server)
  const { work, device, kit, old, ids } = two
  await damage(two, ids.realm)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  expect((await work.readWallets({})).other).toMatchObject({ realm: ids.realm, isHeld: false })
  await asksOperator(work, 'main')
  // Its kit brings it again.
  await work.recover({ ...byKit(kit), realm: ids.realm })
  const { addresses: fresh } = await work.migrate({ kit })
  await damage(two, 'main')
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  expect((await work.readWallets({})).other).toMatchObject({ realm: 'main', isHeld: false })
  await allow(server, device, 'add operator')
  await work.addFactor({ factor: { kind: 'operator' } })
  await asksOperator(work, ids.realm)
  await allowDrop(server, device, ids.old)
  expect(await work.dropOther({ walletId: ids.old, realm: 'main' })).toEqual({ secondsLeft: 0 })
  expect(await device.store.get(keyOf(two.userId, 'main'))).toBeUndefined()
  await work.signEvmMessage({ message: '0x00' })
})

test('behavior: a user who left a wallet whose record is unreadable is prompted to bring its successor', async () => {
  const two = await makeTwoWallets(server)
  const { userId, work, kit, oldKit } = two
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  const { addresses: fresh } = await work.migrate({ kit })
  expect(await second.work.getStatus({})).toMatchObject({ movedFrom: 'main' })
  await damage(second, 'main')
  expect(await second.work.getStatus({})).toMatchObject({
    status: 'not-enrolled',
    addresses: fresh,
  })
  expect(await second.work.recover(byKit(kit))).toEqual({ addresses: fresh })
})

test('error: a browser that lost its only wallet’s record takes no other wallet by email', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId, store: createDurableStore() })
  const work = createKeyWork(device)
  const { addresses } = await work.create({ factors: [{ kind: 'operator' }] })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready' })
  const misled = respondFalsely(device, await showForeign())
  for (const lose of [
    () => damage({ device, work }, 'main'),
    () => deleteRecord(device.store, { userId, realm: 'main' }),
  ]) {
    await lose()
    await isRefused(misled, 'main')
    expect(await misled.getStatus({})).toMatchObject({ status: 'quarantined' })
    await asksOperator(work, 'main')
  }
  expect(await work.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses })
})

test('behavior: a browser that lost both its wallets recovers either by email, and no other wallet', async () => {
  const two = await makeTwoWallets(server)
  const { userId, device, work, kit, ids } = two
  await work.migrate({ kit })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready' })
  await allow(server, device, 'add operator')
  await work.addFactor({ factor: { kind: 'operator' } })
  await work.chooseWallet({ realm: 'main' })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready' })
  for (const realm of ['main', ids.realm]) await deleteRecord(device.store, { userId, realm })
  const misled = respondFalsely(device, await showForeign())
  for (const realm of ['main', ids.realm]) {
    await isRefused(misled, realm)
    await asksOperator(work, realm)
  }
})

test('error: a browser that only knows a move recovers its target only by a factor that vouches for it', async () => {
  const { userId, work, kit, oldKit, ids } = await makeTwoWallets(server)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  await work.migrate({ kit })
  expect(await second.work.getStatus({})).toMatchObject({ movedFrom: 'main' })
  await second.work.chooseWallet({ realm: 'main' })
  await deleteRecord(second.device.store, { userId, realm: 'main' })
  await isRefused(second.work, ids.realm)
  await asksOperator(second.work, 'main')
})

test('error: a server whose recovery breaks off leaves nothing pinned in a browser that knew no wallet', async () => {
  const { userId, work, kit, ids } = await makeTwoWallets(server)
  await work.migrate({ kit })
  for (const path of ['/api/recovery/shares', '/api/wallet/prepare']) {
    const { device } = await addBrowser(server, { userId })
    const broken = createKeyWork({
      ...device,
      call: (asked, body) =>
        asked === path
          ? Promise.reject(new TypeError('the connection broke'))
          : device.call(asked, body),
    })
    await expect(broken.recover(byKit(kit))).rejects.toThrow()
    expect(await findMigrationPin(device.store, userId)).toBeUndefined()
    expect(await createKeyWork(device).recover(byKit(kit))).toBeDefined()
    expect(await findMigrationPin(device.store, userId)).toMatchObject({
      realm: ids.realm,
      used: [{ walletId: ids.fresh, realm: ids.realm }],
    })
  }
})

test('behavior: what an older frame has pinned gets the addresses of the wallet in use', async () => {
  const { userId, device, work, old, ids } = await makeTwoWallets(server)
  await writeMigrationPin(device.store, userId, {
    v: 1,
    realm: 'main',
    moves: [],
    fresh: ids.realm,
  })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  const used = [{ walletId: ids.old, realm: 'main', addresses: old }]
  expect(await findMigrationPin(device.store, userId)).toMatchObject({ used, fresh: ids.realm })
})
