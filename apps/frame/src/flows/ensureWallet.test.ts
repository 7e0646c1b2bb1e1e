import { listPasskeysRoute } from '@latchkey/wire'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import type { FrameContext } from '../context.ts'
import type { SetupProps } from '../screens/SetupScreen.tsx'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { randomBytes, toBase64Url } from '../wallet/crypto/bytes.ts'
import { createMemoryStore } from '../wallet/keyStore.ts'
import { createRecoveryKit } from '../wallet/recovery/recoveryKit.ts'
import { readRecord, type WalletRecord, writeRecord } from '../wallet/walletRecord.ts'
import { createKeyWork } from '../wallet/worker/createKeyWork.ts'
import type { FirstPasskey } from './beginPasskeyAccount.ts'
import { ensureWallet } from './ensureWallet.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())
afterEach(() => {
  vi.unstubAllGlobals()
})

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
  expect(await prepare()).toEqual({ addresses, lacksRecovery: false })
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
  expect(await preparing).toEqual({ addresses, lacksRecovery: false })
  time.nowMs += 13_000
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
  await work.signEvmMessage({ message: '0x00' })
})

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0'
const safari =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari'

/** The passkey that began the account. */
const first = toBase64Url(randomBytes(16))

/** The frame of a new user, in a browser that stores what it is given. */
async function openFrame(userAgent = chrome) {
  const location = { origin: 'https://keys.example' }
  const persist = vi.fn(async () => false)
  const navigator = { userAgent, storage: { persist } }
  vi.stubGlobal('window', { innerWidth: 0, document: { cookie: '' }, location, navigator })
  const userId = await addUser(server)
  const store = { ...createMemoryStore(), durable: true }
  const device = await addDevice(server, { userId, store })
  const work = createKeyWork(device)
  const screenQueue = createScreenQueue()
  const context = {
    keys: { do: (name: keyof typeof work, params: never) => work[name](params), close: () => {} },
    screenQueue,
    session: {
      read: async () => ({ userId, email: 'ada@mail.example' }),
      call: async ({ path }: { path: string }) =>
        path === listPasskeysRoute.path ? { credentialIds: [first], first } : {},
    },
    store,
    facts: { projectId: 'local', socials: [] },
  } as unknown as FrameContext
  const { signal } = new AbortController()
  return {
    work,
    screenQueue,
    persist,
    prepare: (isRecoveryLater: boolean, isHidden = false, passkey?: FirstPasskey) =>
      ensureWallet(context, {
        origin: 'http://app.example',
        isRecoveryLater,
        isHidden,
        passkey,
        signal,
      }),
    readPicture: () => store.get(`picture ${userId}`),
    /** The choice of a way of recovery, once it is shown. */
    shown: async () => {
      await expect.poll(() => screenQueue.current()?.view).toBe('recovery-setup')
      return screenQueue.current()?.props as unknown as SetupProps<unknown> & {
        done: (result: unknown) => void
      }
    },
  }
}

test('default: on the operator’s own pages a wallet is made without a question', async () => {
  const { persist, prepare, readPicture, screenQueue, work } = await openFrame()
  const made = await prepare(true)
  expect(made).toEqual({ addresses: expect.anything(), lacksRecovery: true })
  expect(screenQueue.current()).toBeUndefined()
  // The first approval lets the user choose it: an unseen picture protects no one.
  expect(await readPicture()).toBeUndefined()
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', lacksRecovery: true })
  expect(await prepare(true)).toEqual(made)
  // It is the only copy.
  expect(persist).toHaveBeenCalledTimes(1)
})

test('behavior: another page gets the address of such a wallet only after the question', async () => {
  const { prepare, shown, work } = await openFrame()
  const { addresses } = await prepare(true)
  const preparing = prepare(false)
  const { done, later, save } = await shown()
  expect(later).toBeUndefined()
  done(await save({ kind: 'kit', kit: createRecoveryKit() }, undefined))
  expect(await preparing).toEqual({ addresses, lacksRecovery: false })
  expect(await work.getStatus({})).not.toHaveProperty('lacksRecovery')
})

test('behavior: a page that does not draw the frame gets no address of such a wallet', async () => {
  const { prepare } = await openFrame()
  await prepare(true)
  await expect(prepare(true, true)).rejects.toMatchObject({ code: 'WALLET_NOT_ENROLLED' })
})

test('behavior: a kit that is written while another tab makes the wallet recovers it', async () => {
  const { prepare, shown, work } = await openFrame()
  const preparing = prepare(false)
  const { save, done } = await shown()
  const { addresses } = await work.create({ factors: [] })
  const kit = { kind: 'kit', kit: createRecoveryKit() } as const
  done(await save(kit, undefined))
  expect(await preparing).toEqual({ addresses, lacksRecovery: false })
  expect(await work.recover({ secret: kit })).toEqual({ addresses })
})

test('behavior: a kit that is written while another tab sets up another kit recovers it too', async () => {
  const { prepare, shown, work } = await openFrame()
  const preparing = prepare(false)
  const { save, done } = await shown()
  const [first, second] = [createRecoveryKit(), createRecoveryKit()]
  const { addresses } = await work.create({ factors: [{ kind: 'kit', kit: first }] })
  done(await save({ kind: 'kit', kit: second }, undefined))
  expect(await preparing).toEqual({ addresses, lacksRecovery: false })
  for (const kit of [first, second])
    expect(await work.recover({ secret: { kind: 'kit', kit } })).toEqual({ addresses })
})

test.each([
  ['a page that is not the operator’s', chrome, false],
  ['storage that ends with the visit', safari, true],
] as const)('behavior: recovery comes first: %s', async (_, userAgent, isLater) => {
  const { prepare, screenQueue, shown, work } = await openFrame(userAgent)
  const preparing = prepare(isLater)
  await shown()
  expect(await work.getStatus({})).toMatchObject({ status: 'none' })
  screenQueue.close()
  await expect(preparing).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(await work.getStatus({})).toMatchObject({ status: 'none' })
})

const makePasskey = () => ({
  kind: 'passkey' as const,
  prf: toBase64Url(randomBytes(32)),
  credentialId: first,
})

test('behavior: a passkey that has given no secret protects nothing, and is offered for recovery later', async () => {
  const { prepare, screenQueue, shown, work } = await openFrame()
  const { addresses, lacksRecovery } = await prepare(true, false, 'unproven')
  expect(lacksRecovery).toBe(true)
  expect(screenQueue.current()).toBeUndefined()
  const secret = makePasskey()
  await expect(work.recover({ secret })).rejects.toThrow()
  const preparing = prepare(false)
  const { done, firstPasskey, save } = await shown()
  expect(firstPasskey?.id).toBe(first)
  done(await save(secret, undefined))
  expect(await preparing).toEqual({ addresses, lacksRecovery: false })
  expect(await work.recover({ secret })).toEqual({ addresses })
})

test('behavior: if recovery has to come first after all, that passkey is offered before the wallet', async () => {
  const { prepare, shown, work } = await openFrame(safari)
  const preparing = prepare(true, false, 'unproven')
  const { done, firstPasskey, save } = await shown()
  expect(firstPasskey?.id).toBe(first)
  expect(await work.getStatus({})).toMatchObject({ status: 'none' })
  done(await save(makePasskey(), undefined))
  expect(await preparing).toMatchObject({ lacksRecovery: false })
})

test.each([
  ['a page that is not the operator’s', chrome, false],
  ['storage that ends with the visit', safari, true],
] as const)(
  'behavior: the passkey that began the account recovers its wallet, without a question: %s',
  async (_, userAgent, isLater) => {
    const { prepare, screenQueue, work } = await openFrame(userAgent)
    const passkey = makePasskey()
    const { addresses, lacksRecovery } = await prepare(isLater, false, passkey)
    expect(lacksRecovery).toBe(false)
    expect(screenQueue.current()).toBeUndefined()
    expect(await work.recover({ secret: passkey })).toEqual({ addresses })
  },
)

test('behavior: another tab makes the wallet before the passkey that began the account: it still recovers it', async () => {
  const { prepare, screenQueue, work } = await openFrame()
  const passkey = makePasskey()
  const { addresses } = await work.create({ factors: [] })
  expect(await prepare(true, false, passkey)).toEqual({ addresses, lacksRecovery: false })
  expect(screenQueue.current()).toBeUndefined()
  expect(await work.recover({ secret: passkey })).toEqual({ addresses })
})

test('behavior: if the passkey that began the account cannot recover the wallet, another way comes before the wallet', async () => {
  const { prepare, shown, work } = await openFrame()
  const preparing = prepare(true, false, 'unfit')
  const { done, isPasskeyUnfit, save } = await shown()
  expect(isPasskeyUnfit).toBe(true)
  expect(await work.getStatus({})).toMatchObject({ status: 'none' })
  done(await save({ kind: 'kit', kit: createRecoveryKit() }, undefined))
  expect(await preparing).toMatchObject({ lacksRecovery: false })
})
