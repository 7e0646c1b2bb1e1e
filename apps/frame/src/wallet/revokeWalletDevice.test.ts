import type { Manifest, WalletView } from '@latchkey/wire'
import { LatchkeyError } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import { signManifest, verifyManifest, type WalletFacts } from './manifest.ts'
import { openWallet } from './openWallet.ts'
import { readWalletState } from './readState.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

type State = { wallet: WalletView }

/**
 * A wallet on `count` devices, brought there by its kit. Tests can change the server's responses to
 * the first device.
 */
async function makeDevices(count: number) {
  const lies: { wallet?: (state: State) => object } = {}
  const userId = await addUser(server)
  const tamper = (path: string, result: unknown) =>
    path === '/api/wallet' && lies.wallet ? lies.wallet(result as State) : result
  const kit = { kind: 'kit', kit: createRecoveryKit() } as const
  const devices = []
  for (let at = 0; at < count; at++) {
    const device = await addDevice(server, { userId, ...(at === 0 && { tamper }) })
    const work = createKeyWork(device)
    if (at === 0) await work.create({ factors: [kit] })
    else await work.recover({ secret: kit })
    devices.push({ device, work, id: device.deviceId })
  }
  const [first, second, third] = devices
  if (!first || !second) throw new Error('at least two')
  const state = async () => (await readWalletState(second.device)).wallet as WalletView
  return {
    first,
    second,
    third: third ?? second,
    lies,
    /** As the server has it: who the wallet signs for, and who has a split. */
    async holders() {
      const { manifest, addresses, id } = await state()
      const facts = verifyManifest(manifest, addresses.eip155)
      const rows = await server.db
        .selectFrom('wallet_slots')
        .select('slot')
        .where('wallet_id', '=', id)
        .execute()
      const slots = rows.flatMap(({ slot }) => (slot === 'recovery' ? [] : slot))
      return { signed: facts.devices.map((each) => each.id).sort(), slots: slots.sort() }
    },
  }
}

const ids = (...devices: { id: string }[]) => devices.map(({ id }) => id).sort()
const later = () => {
  time.nowMs += 61_000
}

test('default: a removed device is out of the signed list, and a rotation makes no split for it', async () => {
  const { first, second, third, holders } = await makeDevices(3)
  expect((await holders()).signed).toEqual(ids(first, second, third))
  await second.work.revoke({ id: third.id })
  expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
  let slots: string[] = []
  const watched = createKeyWork({
    ...second.device,
    call: (path, body) => {
      if (path === '/api/wallet/prepare')
        slots = (body as { slots: { slot: string }[] }).slots.map(({ slot }) => slot)
      return second.device.call(path, body)
    },
  })
  await watched.rotate({})
  expect(slots.sort()).toEqual([...ids(first, second), 'recovery'].sort())
  expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
  await first.work.signEvmMessage({ message: '0x00' })
})

test('behavior: a list with a removed device is signed again when a holder next opens the wallet', async () => {
  const { first, second, third, holders } = await makeDevices(3)
  // As an older page did, and as the server does by itself.
  await second.device.ask('/api/devices/revoke', { id: third.id })
  expect((await holders()).signed).toEqual(ids(first, second, third))
  expect(await first.work.getStatus({})).toMatchObject({ status: 'ready' })
  expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
  expect(await second.work.getStatus({})).toMatchObject({ status: 'ready' })
  await second.work.signEvmMessage({ message: '0x00' })
})

test.each(['rotate', 'reshareKey'] as const)(
  'behavior: without a reload a holder leaves a removed device out of what it signs: %s',
  async (change) => {
    const { first, second, third, holders } = await makeDevices(3)
    await second.device.ask('/api/devices/revoke', { id: third.id })
    await first.work[change]({})
    expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
  },
)

test('error: a server that shows the list from before a removal gets no new split for that device', async () => {
  const { first, second, third, lies, holders } = await makeDevices(3)
  const before = (await readWalletState(second.device)).wallet as WalletView
  await first.work.revoke({ id: third.id })
  lies.wallet = ({ wallet, ...state }) => ({
    ...state,
    wallet: { ...wallet, manifest: before.manifest },
  })
  for (const change of ['rotate', 'reshareKey'] as const)
    await expect(first.work[change]({})).rejects.toEqual(
      expect.objectContaining({ code: 'WALLET_QUARANTINED' }),
    )
  expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
  // After a reload it still knows, and another device's removal that it has only seen counts as
  // well.
  await expect(createKeyWork(first.device).rotate({})).rejects.toThrow('an older state')
  delete lies.wallet
  await first.work.rotate({})
})

test('error: a server that hides a removal gets no new split from the device that has seen it', async () => {
  const { first, second, third, lies } = await makeDevices(3)
  const before = (await readWalletState(second.device)).wallet as WalletView
  await second.work.revoke({ id: third.id })
  await first.work.reshareKey({})
  lies.wallet = ({ wallet, ...state }) => ({
    ...state,
    wallet: { ...wallet, manifest: before.manifest },
  })
  await expect(first.work.rotate({})).rejects.toThrow('an older state')
})

test('error: a server that drops a device without its removal from the list is not believed later', async () => {
  const { first, second, third, lies, holders } = await makeDevices(3)
  // The removal's manifest is turned away, as if another change were first, until it goes without.
  const stubborn = createKeyWork({
    ...first.device,
    call: (path, body) => {
      if (path === '/api/devices/revoke' && 'manifest' in (body as object))
        throw new LatchkeyError('WALLET_CHANGED')
      return first.device.call(path, body)
    },
  })
  await stubborn.revoke({ id: third.id })
  expect((await holders()).signed).toEqual(ids(first, second, third))
  lies.wallet = ({ wallet: { gone: _, ...wallet }, ...state }) => ({ ...state, wallet })
  await first.work.rotate({})
  expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
})

test('error: the server accepts only a list without removed devices, and no split for other devices', async () => {
  const { first, second, third, lies, holders } = await makeDevices(3)
  const sign = async (change: (facts: WalletFacts) => Partial<WalletFacts>): Promise<Manifest> => {
    const who = await readWalletState(second.device)
    return openWallet(second.device, who, ({ keys, record }) => {
      const manifest = (who.wallet as WalletView).manifest
      const facts = verifyManifest(manifest, record.addresses.eip155)
      return signManifest({ ...facts, version: facts.version + 1, ...change(facts) }, keys.eip155)
    })
  }
  const send = async (manifest: Manifest) =>
    (await second.device.ask('/api/devices/sign', { manifest })).json.code
  const without = (id: string) => (facts: WalletFacts) => ({
    devices: facts.devices.filter((device) => device.id !== id),
  })
  expect(await send(await sign(without(first.id)))).toBe('COMMIT_REFUSED')
  const stranger = { id: 'stranger', key: 'key' }
  expect(await send(await sign(({ devices }) => ({ devices: [...devices, stranger] })))).toBe(
    'COMMIT_REFUSED',
  )
  const otherKeys = await sign(({ devices }) => ({
    devices: devices.map((device) => ({ ...device, key: 'other' })),
  }))
  expect(await send(otherKeys)).toBe('COMMIT_REFUSED')
  expect(await send(await sign(({ version }) => ({ version })))).toBe('WALLET_CHANGED')
  await second.device.ask('/api/devices/revoke', { id: third.id })
  later()
  // An older page does not read the removed devices.
  lies.wallet = ({ wallet: { gone: _, ...wallet }, ...state }) => ({ ...state, wallet })
  await expect(first.work.rotate({})).rejects.toEqual(
    expect.objectContaining({ code: 'WALLET_CHANGED' }),
  )
  expect((await holders()).slots).toEqual(ids(first, second))
})

test('behavior: a removal and a rotation at once leave the removed device nothing', async () => {
  for (let round = 0; round < 2; round++) {
    const { first, second, third, holders } = await makeDevices(3)
    const [revoked] = await Promise.allSettled([
      first.work.revoke({ id: third.id }),
      second.work.rotate({}),
    ])
    expect(revoked.status).toBe('fulfilled')
    await second.work.getStatus({})
    await first.work.getStatus({})
    await second.work.rotate({})
    expect(await holders()).toEqual({ signed: ids(first, second), slots: ids(first, second) })
    await first.work.signEvmMessage({ message: '0x00' })
  }
})

test('behavior: a page that is killed before or after the server has removed a device leaves one truth', async () => {
  for (const reaches of [false, true]) {
    const { first, second, third, holders } = await makeDevices(3)
    const dying = createKeyWork({
      ...first.device,
      call: async (path, body) => {
        if (path !== '/api/devices/revoke') return first.device.call(path, body)
        if (reaches) await first.device.call(path, body)
        throw new LatchkeyError('OFFLINE')
      },
    })
    await expect(dying.revoke({ id: third.id })).rejects.toThrow('No connection')
    const left = reaches ? ids(first, second) : ids(first, second, third)
    expect(await holders()).toEqual({ signed: left, slots: left })
    const again = createKeyWork(first.device)
    await again.getStatus({})
    await again.rotate({})
    expect(await holders()).toEqual({ signed: left, slots: left })
  }
})
