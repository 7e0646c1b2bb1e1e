import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import type { FrameContext } from '../context.ts'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { createRecoveryKit } from '../wallet/recovery/recoveryKit.ts'
import { readRecord, type WalletRecord, writeRecord } from '../wallet/walletRecord.ts'
import { createKeyWork } from '../wallet/worker/createKeyWork.ts'
import { ensureWallet } from './ensureWallet.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

/** A browser with a wallet whose record a test may change, and what it takes to use it again. */
async function makeWallet() {
  const device = await addDevice(server, { userId: await addUser(server) })
  const work = createKeyWork(device)
  const kit = { kind: 'kit', kit: createRecoveryKit() } as const
  const { addresses } = await work.create({ factors: [kit] })
  const screenQueue = createScreenQueue()
  const keys = {
    do: (name: keyof typeof work, params: never) => work[name](params),
    close: () => {},
  }
  const context = {
    keys,
    screenQueue,
    session: {},
    store: createMemoryStore(),
    facts: { projectId: 'local' },
  } as unknown as FrameContext
  return {
    work,
    kit,
    addresses,
    screenQueue,
    change: async (changed: (record: WalletRecord) => Partial<WalletRecord>) => {
      const record = await readRecord(device.store, { ...device, realm: 'main' })
      if (record) await writeRecord(device.store, { ...record, ...changed(record) })
      time.nowMs += 13_000
    },
    prepare: () =>
      ensureWallet(context, {
        origin: 'http://app.example',
        signal: new AbortController().signal,
      }),
  }
}

test('behavior: a wallet that was set aside and is well is taken back without a word', async () => {
  const { addresses, change, prepare, screenQueue, work } = await makeWallet()
  await change(() => ({ quarantine: 'a share was changed' }))
  expect(await prepare()).toEqual(addresses)
  expect(screenQueue.current()).toBeUndefined()
  await work.signEvmMessage({ message: '0x00' })
})

test('behavior: a damaged wallet shows the reason, and can be recovered', async () => {
  const { addresses, change, prepare, screenQueue, work, kit } = await makeWallet()
  await change(({ current }) => ({
    ...(current && {
      current: { ...current, wrappedShare: { ...current.wrappedShare, iv: 'A'.repeat(16) } },
    }),
  }))
  await expect(work.signEvmMessage({ message: '0x00' })).rejects.toThrow()
  const preparing = prepare()
  await expect.poll(() => screenQueue.current()?.view).toBe('recover')
  const shown = screenQueue.current()?.props as
    | { note: string; done: (addresses: unknown) => void }
    | undefined
  expect(shown?.note).toContain('its share on this device was changed')
  const recovered = await work.recover({ secret: kit })
  shown?.done(recovered.addresses)
  expect(await preparing).toEqual(addresses)
  time.nowMs += 13_000
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
  await work.signEvmMessage({ message: '0x00' })
})
