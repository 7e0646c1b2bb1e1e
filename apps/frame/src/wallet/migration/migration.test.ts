import { isError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { allow } from '../../../test/addDevice.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import {
  addBrowser,
  allowDrop,
  byKit,
  createDurableStore,
  makeTwoWallets,
  readHolders,
} from '../../../test/migration/twoWallets.ts'
import { failsWith, type VaultServer } from '../../../test/startVault.ts'
import { createMemoryStore } from '../keyStore.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { browserKeys } from '../walletRecord.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'

let server: VaultServer
const time = runVault((started) => {
  server = started
})

const confirm = 'show the recovery phrase' as const

test('default: a fresh wallet is created, moved to with its kit, and the old wallet is dropped', async () => {
  const { device, work, old, kit, ids } = await makeTwoWallets(server)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  const { addresses: fresh } = await work.migrate({ kit })
  expect(fresh.eip155).not.toBe(old.eip155)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  await work.signEvmMessage({ message: '0x00' })
  expect(await work.readWallets({})).toMatchObject({
    isMoved: true,
    inUse: { walletId: ids.fresh },
    other: { walletId: ids.old, isNewer: false, isHeld: true, addresses: old },
  })
  const dropped = { walletId: ids.old, realm: 'main' }
  await expect(work.dropOther(dropped)).rejects.toSatisfy(failsWith('STEP_UP_NEEDED'))
  await allowDrop(server, device, ids.old)
  expect(await work.dropOther(dropped)).toEqual({ secondsLeft: 0 })
  expect(await work.dropOther(dropped)).toEqual({ secondsLeft: 0 })
  expect((await work.readWallets({})).other).toBeUndefined()
  expect(await device.store.get(`wallet ${device.userId}`)).toBeUndefined()
  const after = createKeyWork(device)
  expect(await after.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
})

test('behavior: the old wallet can be used and exported in a browser that holds it, until it is deleted', async () => {
  const { work, device, old, kit, ids } = await makeTwoWallets(server)
  const oldWords = (await work.exportWords({ confirm })).words
  const { addresses: fresh } = await work.migrate({ kit })
  expect((await work.exportWords({ confirm })).words).not.toBe(oldWords)
  expect((await work.exportWords({ confirm, realm: 'main' })).words).toBe(oldWords)
  expect((await work.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
  // It stays chosen after a reload.
  const reloaded = createKeyWork(device)
  expect(await reloaded.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  await reloaded.signEvmMessage({ message: '0x00' })
  expect(await reloaded.readWallets({})).toMatchObject({ isMoved: true, other: { isNewer: true } })
  await allowDrop(server, device, ids.old)
  await expect(reloaded.dropOther({ walletId: ids.old, realm: 'main' })).rejects.toSatisfy(
    failsWith('WALLET_CHANGED'),
  )
  expect((await reloaded.chooseWallet({ realm: ids.realm })).addresses).toEqual(fresh)
  expect(await createKeyWork(device).getStatus({})).toMatchObject({ addresses: fresh })
})

test('behavior: each wallet’s kit restores it in an empty browser, before and after the move', async () => {
  const { userId, work, old, oldKit, kit } = await makeTwoWallets(server)
  const restore = async (text: string) => {
    const { work: empty, device } = await addBrowser(server, { userId })
    const { addresses } = await empty.recover(byKit(text))
    await empty.signEvmMessage({ message: '0x00' })
    const reloaded = createKeyWork(device)
    expect(await reloaded.getStatus({})).toMatchObject({ status: 'ready', addresses })
    return addresses
  }
  // The addresses of the fresh wallet stay hidden before the move: its kit brings it in addition to
  // the old wallet.
  await expect(restore(kit)).rejects.toThrow('bring the old wallet here first')
  expect(await restore(oldKit)).toEqual(old)
  const { addresses: fresh } = await work.migrate({ kit })
  expect(await restore(kit)).toEqual(fresh)
  const { work: empty } = await addBrowser(server, { userId })
  await expect(empty.recover(byKit(createRecoveryKit()))).rejects.toSatisfy(
    failsWith('RECOVERY_FAILED'),
  )
})

test('behavior: if every browser is lost before the move, both kits work and the move continues', async () => {
  const { userId, old, oldKit, kit, ids } = await makeTwoWallets(server)
  const { work } = await addBrowser(server, { userId })
  await work.recover(byKit(oldKit))
  expect(await work.readWallets({})).toMatchObject({ isMoved: false, other: { isHeld: false } })
  await expect(work.recover(byKit(kit))).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  await work.recover({ ...byKit(kit), realm: ids.realm })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  expect((await work.readWallets({})).other).toEqual({
    walletId: ids.fresh,
    realm: ids.realm,
    isNewer: true,
    isHeld: true,
  })
  const { addresses: fresh } = await work.migrate({ kit })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
})

test('behavior: another browser follows, and gets the new wallet by its kit or from a device', async () => {
  const { userId, work, old, oldKit, kit, ids } = await makeTwoWallets(server)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  expect((await second.work.readWallets({})).other).toMatchObject({ isNewer: true, isHeld: false })
  const { addresses: fresh } = await work.migrate({ kit })
  expect(await second.work.getStatus({})).toEqual({
    status: 'not-enrolled',
    durable: true,
    addresses: fresh,
    movedFrom: 'main',
  })
  await expect(second.work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  // Its user can also stay with the old one.
  expect((await second.work.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
  await second.work.signEvmMessage({ message: '0x00' })
  const { askId } = await second.work.ask({ realm: ids.realm })
  await work.meet({ askId })
  await second.work.poll({ askId })
  await work.words({ askId })
  await second.work.confirm({ askId })
  await work.approve({ askId })
  expect(await second.work.poll({ askId })).toEqual({ status: 'enrolled', addresses: fresh })
  expect(await second.work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  const third = await addBrowser(server, { userId })
  expect((await third.work.recover(byKit(kit))).addresses).toEqual(fresh)
})

test('behavior: a device that holds the old wallet only does not let anyone into the fresh one', async () => {
  const { userId, work, oldKit, kit } = await makeTwoWallets(server)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  await work.migrate({ kit })
  await second.work.getStatus({})
  await second.work.chooseWallet({ realm: 'main' })
  const third = await addBrowser(server, { userId })
  const { askId } = await third.work.ask({})
  await expect(second.work.meet({ askId })).rejects.toSatisfy(failsWith('VAULT_NOT_FOUND'))
})

test('behavior: a browser switches to the new wallet after the old wallet was deleted elsewhere', async () => {
  const { userId, device, work, oldKit, kit, ids } = await makeTwoWallets(server)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  const { addresses: fresh } = await work.migrate({ kit })
  await second.work.getStatus({})
  await second.work.chooseWallet({ realm: 'main' })
  await allowDrop(server, device, ids.old)
  await work.dropOther({ walletId: ids.old, realm: 'main' })
  const { work: late } = { work: createKeyWork(second.device) }
  expect(await late.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: fresh })
})

test('behavior: a confirmation for the previous wallet no longer counts after a move', async () => {
  const { device, work, kit } = await makeTwoWallets(server)
  await work.migrate({ kit })
  const factor = { kind: 'kit' as const, kit: createRecoveryKit() }
  await expect(work.addFactor({ factor })).rejects.toSatisfy(failsWith('STEP_UP_NEEDED'))
  await allow(server, device, 'add kit')
  await work.addFactor({ factor })
})

test('behavior: what was approved for one account is not signed by the other', async () => {
  const { device, work, old, kit } = await makeTwoWallets(server)
  const stale = createKeyWork({ ...device, account: old.eip155 })
  await stale.signEvmMessage({ message: '0x00' })
  const { addresses: fresh } = await work.migrate({ kit })
  await expect(stale.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
    failsWith('WALLET_CHANGED'),
  )
  await createKeyWork({ ...device, account: fresh.eip155 }).signEvmMessage({ message: '0x00' })
})

test('behavior: a server that was restored from a backup of before the move gets it again', async () => {
  const { userId, device, work, kit, ids } = await makeTwoWallets(server)
  const { addresses: fresh } = await work.migrate({ kit })
  const { db } = server
  await db.deleteFrom('wallet_moves').where('user_id', '=', userId).execute()
  const place = (id: string, place: 'current' | 'other' | null) =>
    db.updateTable('wallets').set({ place }).where('id', '=', id).execute()
  await place(ids.fresh, null)
  await place(ids.old, 'current')
  await place(ids.fresh, 'other')
  expect(await createKeyWork(device).getStatus({})).toMatchObject({ addresses: fresh })
  const { work: empty } = await addBrowser(server, { userId })
  expect(await empty.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: fresh })
})

test('behavior: if two browsers create a fresh wallet at once, exactly one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    time.nowMs += 3_600_000
    const { userId, device, work, oldKit, ids } = await makeTwoWallets(server)
    await allowDrop(server, device, ids.fresh)
    await work.dropOther({ walletId: ids.fresh, realm: ids.realm })
    const second = await addBrowser(server, { userId })
    await second.work.recover(byKit(oldKit))
    await allow(server, second.device, 'fresh wallet')
    const results = await Promise.allSettled(
      [work, second.work].map((each) => each.createReplacement({ kit: createRecoveryKit() })),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const result of results)
      if (result.status === 'rejected') expect(isError(result.reason, 'WALLET_EXISTS')).toBe(true)
    for (const each of [work, second.work]) await each.signEvmMessage({ message: '0x00' })
  }
})

test('behavior: a wallet that no browser holds can be dropped a day later, unless it is used meanwhile', async () => {
  const { userId, device, oldKit, kit, ids } = await makeTwoWallets(server)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  const drop = async () => {
    await server.db.deleteFrom('step_ups').where('action', 'like', 'drop %').execute()
    await allowDrop(server, second.device, ids.fresh)
    return second.work.dropOther({ walletId: ids.fresh, realm: ids.realm })
  }
  await expect(drop()).rejects.toThrow('first remove that device')
  await second.work.revoke({ id: device.deviceId })
  expect(await drop()).toEqual({ secondsLeft: 24 * 3_600 })
  time.nowMs += 3_600_000
  expect(await drop()).toEqual({ secondsLeft: 23 * 3_600 })
  expect((await second.work.readWallets({})).other?.dropAtMs).toBe(time.nowMs + 23 * 3_600_000)
  // A login, which opens nothing, does not keep it.
  const mailbox = await addBrowser(server, { userId })
  const { deviceKey } = await browserKeys(mailbox.device.store)
  await mailbox.device.call('/api/recovery/shares', { deviceKey, realm: ids.realm })
  expect((await second.work.readWallets({})).other?.dropAtMs).toBe(time.nowMs + 23 * 3_600_000)
  // Its owner brings it to another browser: it stays, also after that browser is removed, and for a
  // day more.
  const third = await addBrowser(server, { userId })
  await third.work.recover(byKit(oldKit))
  await third.work.recover({ ...byKit(kit), realm: ids.realm })
  time.nowMs += 25 * 3_600_000
  await expect(drop()).rejects.toThrow('first remove that device')
  await second.work.revoke({ id: third.device.deviceId })
  expect(await drop()).toEqual({ secondsLeft: 24 * 3_600 })
  time.nowMs += 24 * 3_600_000
  expect(await drop()).toEqual({ secondsLeft: 0 })
  expect((await second.work.readWallets({})).other).toBeUndefined()
})

test('error: a new wallet that another device holds cannot be deleted, and its addresses stay hidden', async () => {
  const { userId, device, work, old, oldKit, kit, ids } = await makeTwoWallets(server)
  const phone = await addBrowser(server, { userId })
  await phone.work.recover(byKit(oldKit))
  await phone.work.recover({ ...byKit(kit), realm: ids.realm })
  expect(await phone.work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  const shown = JSON.stringify([
    await phone.work.readWallets({}),
    await phone.work.getStatus({}),
    await work.readWallets({}),
  ])
  await allowDrop(server, device, ids.fresh)
  const drop = { walletId: ids.fresh, realm: ids.realm }
  await expect(work.dropOther(drop)).rejects.toThrow('first remove that device')
  const thief = await addBrowser(server, { userId })
  await thief.work.recover(byKit(oldKit))
  await allowDrop(server, thief.device, ids.fresh)
  await expect(thief.work.dropOther(drop)).rejects.toThrow('first remove that device')
  const { addresses: fresh } = await phone.work.migrate({ kit })
  expect(await phone.work.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  expect(shown).not.toContain(fresh.eip155)
})

test('behavior: bringing the previous wallet into another browser prompts before it is used there', async () => {
  const { userId, work, old, oldKit, kit, ids } = await makeTwoWallets(server)
  const { addresses: fresh } = await work.migrate({ kit })
  const { work: empty } = await addBrowser(server, { userId })
  await empty.recover(byKit(oldKit))
  const asked = { status: 'not-enrolled', addresses: fresh, movedFrom: 'main' }
  expect(await empty.getStatus({})).toMatchObject(asked)
  await expect(empty.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  // A kit determines by itself which wallet it opens, so the browser prompts again, even if it
  // knows the move.
  await empty.recover(byKit(oldKit))
  expect(await empty.getStatus({})).toMatchObject(asked)
  expect((await empty.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
  expect(await empty.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  await empty.signEvmMessage({ message: '0x00' })
  await empty.recover({ ...byKit(kit), realm: ids.realm })
  expect(await empty.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
  // A user who requests the old wallet by its name has decided.
  await empty.recover({ ...byKit(oldKit), realm: 'main' })
  expect(await empty.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
})

test('error: a browser that stores nothing creates no second wallet', async () => {
  const { userId, oldKit, device, work, ids } = await makeTwoWallets(server)
  await allowDrop(server, device, ids.fresh)
  await work.dropOther({ walletId: ids.fresh, realm: ids.realm })
  const { device: other } = await addBrowser(server, { userId })
  const memory = createKeyWork({ ...other, store: createMemoryStore() })
  await memory.recover(byKit(oldKit))
  await allow(server, other, 'fresh wallet')
  await expect(memory.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('INVALID_PARAMS'),
  )
})

test('error: creating a second wallet without a confirmation, or from a browser that holds nothing', async () => {
  const { userId, device, work, ids } = await makeTwoWallets(server)
  await allowDrop(server, device, ids.fresh)
  await work.dropOther({ walletId: ids.fresh, realm: ids.realm })
  await server.db.deleteFrom('step_ups').where('action', '=', 'fresh wallet').execute()
  await expect(work.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('STEP_UP_NEEDED'),
  )
  const { work: thief, device: theirs } = await addBrowser(server, { userId })
  await allow(server, theirs, 'fresh wallet')
  await expect(thief.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
})

test('error: a move with a kit of another wallet than the fresh wallet', async () => {
  const { work, device, old, oldKit, kit } = await makeTwoWallets(server)
  for (const wrong of [createRecoveryKit(), oldKit])
    await expect(work.migrate({ kit: wrong })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  expect(await createKeyWork(device).getStatus({})).toMatchObject({ addresses: old })
  await work.migrate({ kit })
})

test('error: who can recover only the older wallet takes the newer one away in no way', async () => {
  const { userId, device, work, oldKit, kit, ids } = await makeTwoWallets(server)
  const { work: theirs, device: thief } = await addBrowser(server, { userId })
  await theirs.recover(byKit(oldKit))
  await allowDrop(server, thief, ids.fresh)
  const attempts = async () => {
    await expect(theirs.migrate({ kit: oldKit })).rejects.toSatisfy(
      failsWith('WALLET_NOT_ENROLLED'),
    )
    await expect(theirs.chooseWallet({ realm: ids.realm })).rejects.toSatisfy(
      failsWith('WALLET_NOT_ENROLLED'),
    )
    await expect(thief.call('/api/delete', { confirm: 'delete my wallet' })).rejects.toSatisfy(
      failsWith('WALLET_NOT_ENROLLED'),
    )
  }
  await attempts()
  await theirs.revoke({ id: device.deviceId })
  expect(await readHolders(server, ids.old)).toEqual([thief.deviceId])
  expect(await readHolders(server, ids.fresh)).toEqual([device.deviceId])
  const owner = await addBrowser(server, { userId })
  await owner.work.recover(byKit(oldKit))
  await owner.work.recover({ ...byKit(kit), realm: ids.realm })
  await owner.work.migrate({ kit })
  await expect(theirs.revoke({ id: owner.device.deviceId })).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  const drop = { walletId: ids.fresh, confirm: 'drop this wallet' }
  await expect(thief.call('/api/wallet/drop', drop)).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  await owner.work.revoke({ id: thief.deviceId })
  await expect(thief.call('/api/share', { realm: 'main' })).rejects.toSatisfy(
    failsWith('SIGNED_OUT'),
  )
  expect(work).toBeDefined()
})

test('error: the user’s other wallet never signs a removed device, even if the server lists it', async () => {
  const { userId, device, work, kit, ids } = await makeTwoWallets(server)
  await work.migrate({ kit })
  const lost = await addBrowser(server, { userId })
  await lost.work.recover(byKit(kit))
  await work.chooseWallet({ realm: 'main' })
  const [slot] = await server.db
    .selectFrom('wallet_slots')
    .selectAll()
    .where('wallet_id', '=', ids.fresh)
    .where('slot', '=', lost.device.deviceId)
    .execute()
  await work.revoke({ id: lost.device.deviceId })
  // The server brings the device back, as if it had never been removed.
  if (slot)
    await server.db
      .insertInto('wallet_slots')
      .values({
        ...slot,
        sealed_recovery: JSON.stringify(slot.sealed_recovery),
        sealed_device: slot.sealed_device && JSON.stringify(slot.sealed_device),
      })
      .execute()
  await work.chooseWallet({ realm: ids.realm })
  await work.reshareKey({})
  const { manifest } = await server.db
    .selectFrom('wallets')
    .select('manifest')
    .where('id', '=', ids.fresh)
    .executeTakeFirstOrThrow()
  expect(manifest).toContain(device.deviceId)
  expect(manifest).not.toContain(lost.device.deviceId)
})

test('error: more moves and drops than a device may ask for', async () => {
  const { device, ids } = await makeTwoWallets(server)
  const drop = { walletId: ids.old, confirm: 'drop this wallet' }
  const codes: string[] = []
  for (let turn = 0; turn < 21; turn++)
    await device.call('/api/wallet/drop', drop).catch((error) => codes.push(error.code))
  expect(codes.at(0)).toBe('WALLET_CHANGED')
  expect(codes.at(-1)).toBe('RATE_LIMITED')
  expect(createDurableStore().durable).toBe(true)
})

test('behavior: a move that the server never takes is sent again and again, and uses up nothing', async () => {
  const { device, work, kit, ids } = await makeTwoWallets(server)
  await work.migrate({ kit })
  const { db } = server
  const { body } = await db
    .selectFrom('wallet_moves')
    .select('body')
    .where('from_wallet', '=', ids.old)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('wallet_moves').where('from_wallet', '=', ids.old).execute()
  for (let turn = 0; turn < 30; turn++)
    await expect(device.call('/api/wallet/move', { move: body })).rejects.toSatisfy(
      failsWith('WALLET_CHANGED'),
    )
  await allowDrop(server, device, ids.old)
  expect(await work.dropOther({ walletId: ids.old, realm: 'main' })).toEqual({ secondsLeft: 0 })
})
