import { expect, test, vi } from 'vitest'
import { allow } from '../../../test/addDevice.ts'
import { forgeMove, thief } from '../../../test/migration/forgeMigration.ts'
import { type Lie, respondFalsely } from '../../../test/migration/respondFalsely.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import { readKey, signMove } from '../../../test/migration/signMigration.ts'
import { addBrowser, allowDrop, byKit, makeTwoWallets } from '../../../test/migration/twoWallets.ts'
import { failsWith, type VaultServer } from '../../../test/startVault.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { findMigrationPin } from './migrationPin.ts'

let server: VaultServer
const time = runVault((started) => {
  server = started
})

const confirm = 'show the recovery phrase' as const

type Two = Awaited<ReturnType<typeof makeTwoWallets>>

/** Another browser of the user, with both wallets. */
async function addHolder({ userId, oldKit, kit, ids }: Two) {
  const holder = await addBrowser(server, { userId })
  await holder.work.recover(byKit(oldKit))
  await holder.work.recover({ ...byKit(kit), realm: ids.realm })
  return holder
}

/** A browser drops the wallet that was left, and moves on to a third one. */
async function moveOn({ device, work }: Awaited<ReturnType<typeof addHolder>>, leftId?: string) {
  if (leftId !== undefined) {
    await allowDrop(server, device, leftId)
    await work.dropOther({ walletId: leftId, realm: 'main' })
  }
  await allow(server, device, 'fresh wallet')
  const kit = createRecoveryKit()
  await work.createReplacement({ kit })
  return work.migrate({ kit })
}

test('behavior: a browser that created a wallet to which another one moved follows the next move too', async () => {
  const two = await makeTwoWallets(server)
  const { userId, device, work, kit, ids } = two
  const holder = await addHolder(two)
  const { addresses: fresh } = await holder.work.migrate({ kit })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  expect((await findMigrationPin(device.store, userId))?.fresh).toBeUndefined()
  const { addresses: third } = await moveOn(holder, ids.old)
  const late = createKeyWork(device)
  expect(await late.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: third })
})

test('behavior: a browser that missed the deletion of its new wallet follows a move to another wallet', async () => {
  const { userId, device, work, oldKit, ids } = await makeTwoWallets(server)
  await allowDrop(server, device, ids.fresh)
  // It is killed as soon as the server has dropped it.
  await device.call('/api/wallet/drop', { walletId: ids.fresh, confirm: 'drop this wallet' })
  expect((await findMigrationPin(device.store, userId))?.fresh).toBe(ids.realm)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000)
  const { addresses: third } = await moveOn(second).finally(() => later.mockRestore())
  expect(await work.getStatus({})).toMatchObject({
    status: 'not-enrolled',
    addresses: third,
    movedFrom: 'main',
  })
})

test('error: a server that hides the other wallet makes no browser delete its part of it', async () => {
  const { userId, device, work, kit, ids } = await makeTwoWallets(server)
  const { addresses: fresh } = await work.migrate({ kit })
  await work.chooseWallet({ realm: 'main' })
  // As after a plan that was not noted as done.
  const pin = await findMigrationPin(device.store, userId)
  await device.store.put(`move ${userId}`, { ...pin, fresh: ids.realm })
  const hidden = respondFalsely(device, ({ other: _, ...state }) => state)
  await expect(hidden.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('WALLET_EXISTS'),
  )
  expect(await work.chooseWallet({ realm: ids.realm })).toEqual({ addresses: fresh })
  await work.signEvmMessage({ message: '0x00' })
})

test('error: a move to the new wallet at an attacker’s addresses moves nothing, and the kit is tested', async () => {
  const two = await makeTwoWallets(server)
  const { device, work, old, kit, oldKit, userId, ids } = two
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  const { move, addresses } = await forgeMove(two, { walletId: ids.fresh, realm: ids.realm })
  const show: Lie = (state) => ({ ...state, moves: [move] })
  const misled = respondFalsely(device, show)
  expect(await misled.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  expect((await misled.readWallets({})).isMoved).toBe(false)
  await expect(misled.migrate({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('RECOVERY_FAILED'),
  )
  await expect(misled.migrate({ kit: oldKit })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  const hiding: Lie = ({ other: _, ...state }) => ({ ...state, moves: [move] })
  expect(await respondFalsely(device, hiding).getStatus({})).toMatchObject({
    status: 'ready',
    addresses: old,
  })
  // A browser that holds only the old one asks, shows what was signed, and never the fresh wallet
  // in its place.
  const asked = await respondFalsely(second.device, show).getStatus({})
  expect(asked).toMatchObject({ status: 'quarantined' })
  expect(JSON.stringify(asked)).not.toContain(addresses.eip155)
  expect((await second.work.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
  expect((await work.migrate({ kit })).addresses).not.toEqual(old)
})

test('error: a move to a wallet that names another age for the old one moves nothing', async () => {
  const two = await makeTwoWallets(server)
  const { userId, device, work, old, ids, kit } = two
  const stolen = await readKey((await work.exportWords({ confirm })).words)
  const to = {
    walletId: 'd'.repeat(32),
    realm: 'main-10',
    addresses: { eip155: thief.address, solana: 'B'.repeat(43) },
  }
  const from = { walletId: ids.old, realm: 'main-2', addresses: old }
  const move = await signMove({ v: 1, userId, from, to }, { from: stolen, to: thief })
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(two.oldKit))
  for (const of of [device, second.device])
    expect(
      await respondFalsely(of, ({ other: _, ...state }) => ({ ...state, moves: [move] })).getStatus(
        {},
      ),
    ).toMatchObject({ status: 'ready', addresses: old })
  await work.migrate({ kit })
})

test('behavior: a forged move that a browser has seen hides no real one', async () => {
  for (const isSameName of [false, true]) {
    time.nowMs += 3_600_000
    const two = await makeTwoWallets(server)
    const { userId, work, old, oldKit, kit, ids } = two
    const { device } = await addBrowser(server, { userId })
    const second = createKeyWork(device)
    await second.recover(byKit(oldKit))
    const { lie, addresses } = await forgeMove(two, isSameName ? { realm: ids.realm } : {})
    const asked = { status: 'not-enrolled', addresses, movedFrom: 'main' }
    expect(await respondFalsely(device, lie).getStatus({})).toMatchObject(asked)
    const stay = () => respondFalsely(device, lie).chooseWallet({ realm: 'main' })
    expect((await stay()).addresses).toEqual(old)
    expect(await respondFalsely(device, lie).getStatus({})).toMatchObject({
      status: 'ready',
      addresses: old,
    })
    const { addresses: fresh } = await work.migrate({ kit })
    expect(await createKeyWork(device).getStatus({})).toMatchObject({
      status: 'not-enrolled',
      addresses: fresh,
      movedFrom: 'main',
    })
    await second.recover(byKit(kit))
    expect(await createKeyWork(device).getStatus({})).toMatchObject({
      status: 'ready',
      addresses: fresh,
    })
    // A browser that uses the fresh wallet does not follow a move signed with the old key.
    expect(await respondFalsely(device, lie).getStatus({})).not.toMatchObject({ addresses })
  }
})

test('behavior: a browser that believed a forged move uses the real wallet once its kit says which it is', async () => {
  for (const isSameName of [false, true]) {
    time.nowMs += 3_600_000
    const two = await makeTwoWallets(server)
    const { userId, work, oldKit, kit, ids } = two
    const { device } = await addBrowser(server, { userId })
    await createKeyWork(device).recover(byKit(oldKit))
    const { lie } = await forgeMove(two, isSameName ? { realm: ids.realm } : {})
    const second = createKeyWork(device)
    const { addresses: fresh } = await work.migrate({ kit })
    // It had seen the real move before.
    expect(await second.getStatus({})).toMatchObject({ addresses: fresh })
    await second.chooseWallet({ realm: 'main' })
    expect(await respondFalsely(device, lie).getStatus({})).not.toMatchObject({ addresses: fresh })
    expect(await second.recover(byKit(kit))).toEqual({ addresses: fresh })
    expect(await second.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
    await second.signEvmMessage({ message: '0x00' })
  }
})

test('error: a server has another device approve a wallet other than the requested wallet', async () => {
  const two = await makeTwoWallets(server)
  const { userId, work, kit, ids, oldKit } = two
  await work.migrate({ kit })
  const { device } = await addBrowser(server, { userId })
  await createKeyWork(device).recover(byKit(oldKit))
  const misled = createKeyWork({
    ...device,
    call: (path, body) =>
      device.call(path, path === '/api/enroll/ask' ? { ...(body as object), realm: 'main' } : body),
  })
  const { askId } = await misled.ask({ realm: ids.realm })
  await work.chooseWallet({ realm: 'main' })
  await work.meet({ askId })
  await misled.poll({ askId })
  await work.words({ askId })
  await misled.confirm({ askId })
  await work.approve({ askId })
  await expect(misled.poll({ askId })).rejects.toSatisfy(failsWith('ENROLMENT_STOPPED'))
})

test('behavior: of very many signed moves a browser keeps the last ones', async () => {
  const two = await makeTwoWallets(server)
  const { userId, oldKit, old } = two
  const { device } = await addBrowser(server, { userId })
  await createKeyWork(device).recover(byKit(oldKit))
  for (let at = 0; at < 52; at++) {
    time.nowMs += 60_000
    const { lie } = await forgeMove(two, { realm: `main-${10 + at}` })
    expect(await respondFalsely(device, lie).getStatus({})).toMatchObject({
      status: 'not-enrolled',
    })
    const { addresses } = await respondFalsely(device, lie).chooseWallet({ realm: 'main' })
    expect(addresses).toEqual(old)
  }
  expect((await findMigrationPin(device.store, userId))?.moves).toHaveLength(50)
})
