import {
  getWalletRoute,
  LatchkeyError,
  prepareWalletRoute,
  type WalletAddresses,
} from '@latchkey/wire'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openBrowser, type TypeBrowser } from '../../../test/accountType/openBrowser.ts'
import { allow } from '../../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { createRecoveryKit } from '../../wallet/recovery/recoveryKit.ts'
import { browserLock } from '../../wallet/vault.ts'
import { callVault, type VaultCall } from '../../wallet/vaultServer.ts'
import { carryAccountType, chooseAccountType, sendAccountType } from './accountType.ts'

let server: VaultServer
beforeAll(async () => {
  server = await startVault()
})
afterAll(() => server?.remove())
// The lock that the tabs of a browser share.
beforeEach(() => vi.stubGlobal('navigator', { locks: { request: browserLock(undefined) } }))

/** The stored types of the user's wallets, oldest first. */
const stored = async ({ device }: TypeBrowser) => {
  const rows = await server.db
    .selectFrom('wallets')
    .select('account_type')
    .where('user_id', '=', device.userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => row.account_type)
}

/** A page from before account types, which never sends one to the server. */
const olderPage =
  (call: VaultCall): VaultCall =>
  (path, body) => {
    const { accountType: _, ...rest } = body as { accountType?: unknown }
    return call(
      path,
      path === prepareWalletRoute.path || path === getWalletRoute.path ? rest : body,
    )
  }

/**
 * Two browsers of one user: the first has made the wallet, the kit has brought it into the second.
 */
async function openBoth({ isOld = false } = {}) {
  const userId = await addUser(server)
  const kit = { kind: 'kit', kit: createRecoveryKit() } as const
  const maker = await openBrowser(server, { userId, ...(isOld && { change: olderPage }) })
  const { addresses } = await maker.work.create({ factors: [kit] })
  const second = await openBrowser(server, { userId })
  await second.work.recover({ secret: kit })
  if (!isOld) return { first: maker, second, addresses, kit }
  // The page of now, in the browser of then.
  const first = await openBrowser(server, { userId })
  await first.work.recover({ secret: kit })
  return { first, second, addresses, kit }
}

const mark = ({ store }: TypeBrowser, { eip155 }: WalletAddresses) =>
  store.get(`account type to send ${eip155.toLowerCase()}`)

test('default: a wallet that is created smart is smart in the browser that it is brought to', async () => {
  const { first, second, addresses } = await openBoth()
  expect(await stored(first)).toEqual(['smartAccount'])
  expect(await first.work.getStatus({})).toMatchObject({ accountType: 'smartAccount' })
  expect(await second.load()).toEqual(addresses)
  expect(await second.type(addresses)).toBe('smartAccount')
  await first.load()
  expect([first.sent, second.sent]).toEqual([[], []])
})

test('behavior: turning it off or on in one browser applies to the other browser at its next load', async () => {
  const { first, second, addresses } = await openBoth()
  await first.load()
  await second.load()
  await second.settings.writeType('eoa')
  await expect.poll(() => stored(first)).toEqual(['eoa'])
  expect(await first.type(addresses)).toBe('smartAccount')
  await first.load()
  expect(await first.type(addresses)).toBe('eoa')
  await first.settings.writeType('smartAccount')
  await expect.poll(() => stored(first)).toEqual(['smartAccount'])
  // The page of the settings shows what is so now.
  expect(await second.settings.readType()).toBe('smartAccount')
  await expect.poll(() => mark(first, addresses)).toBeUndefined()
})

test('behavior: a choice that did not reach the server stays, and arrives at the next load', async () => {
  const { first, second, addresses } = await openBoth()
  await first.load()
  first.link.isUp = false
  await first.settings.writeType('eoa')
  await expect.poll(() => first.sent.length).toBe(1)
  await first.load()
  expect(await first.settings.readType()).toBe('eoa')
  expect(await stored(first)).toEqual(['smartAccount'])
  expect(await mark(first, addresses)).toBe('eoa')
  first.link.isUp = true
  await first.load()
  await expect.poll(() => stored(first)).toEqual(['eoa'])
  await expect.poll(() => mark(first, addresses)).toBeUndefined()
  await second.load()
  expect(await second.type(addresses)).toBe('eoa')
  // It is the server's to say again.
  await second.settings.writeType('smartAccount')
  await expect.poll(() => stored(first)).toEqual(['smartAccount'])
  await first.load()
  expect(await first.type(addresses)).toBe('smartAccount')
})

test('behavior: choosing the current type stores and sends nothing, and the last of several choices counts', async () => {
  const { first, addresses } = await openBoth()
  const { eip155 } = addresses
  await first.load()
  await chooseAccountType(first.store, eip155, 'smartAccount')
  await sendAccountType(first, eip155)
  expect(await mark(first, addresses)).toBeUndefined()
  expect(first.sent).toEqual([])
  const sending: Promise<void>[] = []
  for (const type of ['eoa', 'smartAccount', 'eoa'] as const) {
    await chooseAccountType(first.store, eip155, type)
    sending.push(sendAccountType(first, eip155))
  }
  await Promise.all(sending)
  expect(await stored(first)).toEqual(['eoa'])
  expect(await mark(first, addresses)).toBeUndefined()
})

test('behavior: a wallet of before stays as it was until its owner agrees, then it is smart everywhere', async () => {
  const { first, second, addresses } = await openBoth({ isOld: true })
  expect(await stored(first)).toEqual([null])
  for (const browser of [first, second, first]) {
    await browser.load()
    expect(await browser.type(addresses)).toBe('eoa')
    expect(browser.sent).toEqual([])
  }
  await first.settings.writeType('smartAccount')
  await expect.poll(() => stored(first)).toEqual(['smartAccount'])
  await second.load()
  expect(await second.type(addresses)).toBe('smartAccount')
})

test('behavior: reports a type that only this browser has once, and never overwrites another choice', async () => {
  const { first, second, addresses } = await openBoth({ isOld: true })
  const key = `account type ${addresses.eip155.toLowerCase()}`
  await first.store.put(key, 'smartAccount')
  await first.load()
  await expect.poll(() => stored(first)).toEqual(['smartAccount'])
  await first.load()
  await second.load()
  expect(await second.type(addresses)).toBe('smartAccount')
  expect(first.sent).toHaveLength(1)
  const late = { account: addresses.eip155, type: 'eoa', first: true }
  expect(await second.device.call('/api/wallet/type', late)).toEqual({})
  expect(await stored(first)).toEqual(['smartAccount'])
})

test('behavior: a fresh wallet sends as the one in use did, at the server and in every browser', async () => {
  for (const isOld of [false, true]) {
    const { first, second, addresses } = await openBoth({ isOld })
    await first.load()
    if (!isOld) {
      await first.settings.writeType('eoa')
      await expect.poll(() => stored(first)).toEqual(['eoa'])
    }
    Object.assign(first.device.store, { durable: true })
    await allow(server, first.device, 'fresh wallet')
    const kit = createRecoveryKit()
    await first.work.createReplacement({ kit })
    const before = isOld ? null : ('eoa' as const)
    expect(await stored(first)).toEqual([before, 'smartAccount'])
    const { addresses: fresh } = await first.work.migrate({ kit })
    expect(await stored(first)).toEqual([before, before])
    expect(await first.load()).toEqual(fresh)
    expect(await first.type(fresh)).toBe('eoa')
    await second.work.recover({ secret: { kind: 'kit', kit } })
    expect(await second.load()).toEqual(fresh)
    expect(await second.type(fresh)).toBe('eoa')
    expect(await second.type(addresses)).toBe('eoa')
  }
})

test('behavior: a choice that the server does not have yet goes along to the fresh wallet', async () => {
  const store = createMemoryStore()
  await chooseAccountType(store, '0xAa', 'smartAccount')
  await carryAccountType(store, '0xAa', '0xBb')
  expect(await store.get('account type 0xbb')).toBe('smartAccount')
  expect(await store.get('account type to send 0xbb')).toBe('smartAccount')
})

test('behavior: pages of before are answered as before, and create wallets without a type', async () => {
  const { first } = await openBoth({ isOld: true })
  expect(await stored(first)).toEqual([null])
  const both = await openBoth()
  const { wallet } = await callVault(both.first.device.call, getWalletRoute, {
    gone: true,
    moves: true,
  })
  expect(wallet?.id).toBeDefined()
  expect(wallet && 'accountType' in wallet).toBe(false)
})

test('behavior: a server of before opens the wallet, and a choice waits for a newer one', async () => {
  const { first, addresses, kit } = await openBoth()
  const olderServer =
    (call: VaultCall): VaultCall =>
    async (path, body) => {
      if ('accountType' in (body as object))
        throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'accountType' } })
      if (path === '/api/wallet/type') throw new LatchkeyError('INTERNAL')
      return call(path, body)
    }
  const { userId } = first.device
  const browser = await openBrowser(server, { userId, change: olderServer })
  await browser.work.recover({ secret: kit })
  expect(await browser.load()).toEqual(addresses)
  await browser.settings.writeType('smartAccount')
  await expect.poll(() => browser.sent.length).toBe(1)
  await browser.load()
  expect(await browser.type(addresses)).toBe('smartAccount')
  expect(await mark(browser, addresses)).toBe('smartAccount')
})
