import type { VaultState } from '@latchkey/wire'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openBrowser } from '../../../test/accountType/openBrowser.ts'
import { addDevice } from '../../../test/addDevice.ts'
import { addUser, failsWith, startVault, type VaultServer } from '../../../test/startVault.ts'
import { createRecoveryKit } from '../../wallet/recovery/recoveryKit.ts'
import { browserLock } from '../../wallet/vault.ts'
import type { VaultCall } from '../../wallet/vaultServer.ts'

let server: VaultServer
beforeAll(async () => {
  server = await startVault()
})
afterAll(() => server?.remove())
// The lock that the tabs of a browser share.
beforeEach(() => vi.stubGlobal('navigator', { locks: { request: browserLock(undefined) } }))

/** A browser with a wallet, whose server reports the account type that the test sets. */
async function openLying() {
  const lie: { type?: unknown } = {}
  const lying =
    (call: VaultCall): VaultCall =>
    async (path, body) => {
      const state = await call(path, body)
      if (path !== '/api/wallet' || !('type' in lie)) return state
      const { wallet, ...rest } = state as VaultState
      return wallet ? { ...rest, wallet: { ...wallet, accountType: lie.type } } : state
    }
  const userId = await addUser(server)
  const browser = await openBrowser(server, { userId, change: lying })
  const kit = { kind: 'kit', kit: createRecoveryKit() } as const
  const { addresses } = await browser.work.create({ factors: [kit] })
  return { browser, lie, addresses, userId }
}

const readStored = async (userId: string) => {
  const rows = await server.db
    .selectFrom('wallets')
    .select('account_type')
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => row.account_type)
}

test('security: a server with changing answers changes the type, but never a choice made in this browser', async () => {
  const { browser, lie, addresses } = await openLying()
  for (const type of ['eoa', 'smartAccount', 'eoa'] as const) {
    lie.type = type
    await browser.load()
    expect(await browser.type(addresses)).toBe(type)
  }
  expect(browser.sent).toEqual([])
  // An answer from before the choice comes after it.
  const page = browser.settings
  await page.writeType('smartAccount')
  await expect
    .poll(() => browser.store.get(`account type to send ${addresses.eip155.toLowerCase()}`))
    .toBeUndefined()
  expect(await page.readType()).toBe('smartAccount')
  await page.writeType('eoa')
  browser.link.isUp = false
  await browser.settings.writeType('smartAccount')
  for (const type of ['eoa', 'smartAccount', 'eoa', 'nothing']) {
    lie.type = type
    await browser.load()
    expect(await browser.type(addresses)).toBe('smartAccount')
  }
})

test('security: an unknown type changes nothing and is not sent back', async () => {
  const { browser, lie, addresses } = await openLying()
  await browser.load()
  for (const type of ['permissions', 'SMARTACCOUNT', '', '__proto__']) {
    lie.type = type
    expect(await browser.load()).toEqual(addresses)
    expect(await browser.type(addresses)).toBe('smartAccount')
  }
  expect(browser.sent).toEqual([])
  for (const type of [7, null, {}, 'x'.repeat(21)]) {
    lie.type = type
    await expect(browser.load()).rejects.toSatisfy(failsWith('ANSWER_INVALID'))
  }
})

test('security: refuses a type without the wallet, for another user, or with an invalid value', async () => {
  const { browser, addresses, userId } = await openLying()
  const mailbox = await addDevice(server, { userId })
  const stranger = (await openLying()).browser.device
  const choice = { account: addresses.eip155, type: 'eoa' }
  for (const device of [mailbox, stranger])
    for (const more of [{}, { first: true }])
      await expect(device.call('/api/wallet/type', { ...choice, ...more })).rejects.toSatisfy(
        failsWith('WALLET_NOT_ENROLLED'),
      )
  for (const wrong of [{ type: 'both' }, { type: null }, { account: '0x00' }, { realm: 'main' }])
    await expect(
      browser.device.call('/api/wallet/type', { ...choice, ...wrong }),
    ).rejects.toSatisfy(failsWith('INVALID_PARAMS'))
  expect((await mailbox.prove('/api/wallet/type', choice)).status).toBe(401)
  expect(await readStored(userId)).toEqual(['smartAccount'])
})

test('security: a device changes the type 60 times an hour at most, and the log says each change', async () => {
  const { browser, addresses } = await openLying()
  const set = (type: string) =>
    browser.device.call('/api/wallet/type', { account: addresses.eip155, type })
  for (let time = 0; time < 60; time++) await set(time < 2 ? 'eoa' : 'smartAccount')
  await expect(set('eoa')).rejects.toSatisfy(failsWith('RATE_LIMITED'))
  const { entries } = (await browser.device.call('/api/audit', {})) as {
    entries: { action: string; detail: { type?: string } }[]
  }
  const types = entries.flatMap(({ action, detail }) =>
    action === 'account type set' ? [detail.type] : [],
  )
  expect(types).toEqual(['smartAccount', 'eoa'])
})
