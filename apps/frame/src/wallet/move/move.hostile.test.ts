import { isError, type VaultState, type WalletMove } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, allow } from '../../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import { createMemoryStore, type KeyStore } from '../keyStore.ts'
import { createKit } from '../recovery/kit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { readMovePin } from './movePin.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

const kitOf = (kit = createKit()) => ({ factors: [{ kind: 'kit' as const, kit }] })
type Change = (state: VaultState, body: unknown) => unknown

/** A browser whose server lies as told in what it says of the wallets. */
async function makeLiar() {
  time.nowMs += 3_600_000
  const userId = await addUser(server)
  const lie: { change: Change | undefined } = { change: undefined }
  const device = await addDevice(server, {
    userId,
    tamper: (path, result, body) =>
      path === '/api/wallet' && lie.change ? lie.change(result as VaultState, body) : result,
  })
  const kit = createKit()
  const work = createKeyWork(device)
  const old = (await work.create(kitOf(kit))).addresses
  time.nowMs += 1_000
  const fresh = (await work.createFresh(kitOf())).addresses
  const { current, other } = await work.readWallets({})
  const walletId = other?.walletId ?? ''
  for (const id of [current.walletId, walletId]) await allow(server, device, `use ${id}`)
  const honest = async () => (await device.call('/api/wallet', { moves: true })) as VaultState
  return { userId, device, work, old, fresh, lie, honest, walletId, oldId: current.walletId, kit }
}

/** Another store with the same contents: what a browser had stored at that time. */
async function copyStore(store: KeyStore, keys: readonly string[]): Promise<KeyStore> {
  const copy = createMemoryStore()
  for (const key of keys) {
    const value = await store.get(key)
    if (value !== undefined) await copy.put(key, value)
  }
  return copy
}

const expectQuarantine = async (work: ReturnType<typeof createKeyWork>) =>
  expect(await work.getStatus({})).toMatchObject({ status: 'quarantined' })

test('error: a server that shows another wallet of the user without a move that the first has signed', async () => {
  const { device, work, old, lie, honest, walletId, oldId } = await makeLiar()
  const { other, wallet } = await honest()
  const { realm = '' } = other ?? {}
  const shown = (await device.call('/api/wallet', { realm })) as VaultState
  const forged = (text: object): WalletMove => ({
    text: JSON.stringify(text),
    signature: `0x${'11'.repeat(64)}1b`,
    toSignature: `0x${'11'.repeat(64)}1b`,
  })
  const facts = {
    v: 1,
    userId: device.userId,
    number: 1,
    from: { walletId: oldId, realm: 'main', eip155: old.eip155 },
    to: { walletId, realm, addresses: shown.wallet?.addresses },
  }
  const swapped = { ...shown, other: { ...other, id: oldId, realm: 'main', isHeld: true } }
  const lies: VaultState['moves'][] = [
    undefined,
    [],
    [forged(facts)],
    [forged({ ...facts, from: { ...facts.from, walletId } })],
    [{ ...forged(facts), text: 'no move' }],
  ]
  for (const moves of lies) {
    lie.change = (state, body) =>
      Object.hasOwn(body as object, 'realm') ? state : { ...swapped, ...(moves && { moves }) }
    await expectQuarantine(createKeyWork(device))
  }
  lie.change = undefined
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
  expect(wallet?.id).toBe(oldId)
})

test('error: a server that shows a move of another user, or signed moves that lead elsewhere', async () => {
  const one = await makeLiar()
  const two = await makeLiar()
  await two.work.moveTo({ walletId: two.walletId })
  const theirs = await two.honest()
  one.lie.change = () => ({ ...theirs, userId: one.userId, deviceId: one.device.deviceId })
  await expectQuarantine(createKeyWork(one.device))
  one.lie.change = undefined
  await server.db.deleteFrom('step_ups').execute()
  await allow(server, one.device, `use ${one.walletId}`)
  await one.work.moveTo({ walletId: one.walletId })
  const { store } = one.device
  const before = await copyStore(store, ['browser keys', `wallet ${one.userId}`])
  // The move is real, but the wallet that is shown is not where it leads.
  one.lie.change = (state) => ({ ...state, wallet: { ...theirs.wallet, slot: undefined } })
  const late = createKeyWork({ ...one.device, store: before })
  await expectQuarantine(late)
  one.lie.change = undefined
  expect(await late.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: one.fresh })
})

test('error: a server that goes back to a wallet that was left, with the move that led there before', async () => {
  const { device, work, old, fresh, lie, honest, walletId, oldId, userId } = await makeLiar()
  await work.moveTo({ walletId })
  await work.moveTo({ walletId: oldId })
  const atOld = await honest()
  await work.moveTo({ walletId })
  expect((await readMovePin(device.store, userId)).number).toBe(3)
  lie.change = (state, body) => (Object.hasOwn(body as object, 'realm') ? state : atOld)
  await expectQuarantine(createKeyWork(device))
  // A browser that has seen neither follows the last one alone.
  lie.change = undefined
  const keys = ['browser keys', `wallet ${userId}`]
  const late = createKeyWork({ ...device, store: await copyStore(device.store, keys) })
  expect(await late.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: fresh })
  expect(fresh.eip155).not.toBe(old.eip155)
})

test('error: a server that gives another address as the fresh wallet', async () => {
  const { work, old, fresh, lie, walletId } = await makeLiar()
  const thief = (await makeLiar()).fresh
  for (const wrong of [
    { addresses: thief },
    { id: 'a'.repeat(32) },
    { realm: `main-${'a'.repeat(32)}` },
  ]) {
    lie.change = (state) => ({ ...state, other: { ...state.other, ...wrong } })
    const { current, other } = await work.readWallets({})
    expect(current.addresses).toEqual(old)
    expect(other?.addresses).toBeUndefined()
    await expect(work.moveTo({ walletId: other?.walletId ?? '' })).rejects.toSatisfy((error) =>
      isError(error, 'WALLET_NOT_ENROLLED'),
    )
    if (wrong.addresses === undefined)
      await expect(work.createFresh(kitOf())).rejects.toSatisfy((error) =>
        isError(error, 'WALLET_EXISTS'),
      )
  }
  lie.change = undefined
  expect((await work.readWallets({})).other).toMatchObject({ walletId, addresses: fresh })
})

test('behavior: a browser that was away follows the moves of two further wallets', async () => {
  const { userId, device, work, walletId, oldId } = await makeLiar()
  const away = await copyStore(device.store, ['browser keys', `wallet ${userId}`])
  await work.moveTo({ walletId })
  await allow(server, device, `drop ${oldId}`)
  await work.dropOther({ walletId: oldId, realm: 'main' })
  time.nowMs += 1_000
  const third = (await work.createFresh(kitOf())).addresses
  const { other } = await work.readWallets({})
  await allow(server, device, `use ${other?.walletId}`)
  await work.moveTo({ walletId: other?.walletId ?? '' })
  const late = createKeyWork({ ...device, store: away })
  expect(await late.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: third })
  expect(await readMovePin(away, userId)).toMatchObject({ number: 2 })
})
