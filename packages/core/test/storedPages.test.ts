import { expect, test } from 'vitest'
import { getBalances } from '../src/account/getBalances.ts'
import { getNativeBalance } from '../src/account/getNativeBalance.ts'
import { getSavedWallets } from '../src/directory/savedWallets.ts'
import { getSavedOrders } from '../src/onramp/savedOrders.ts'
import { getSavedResponse } from '../src/server/savedResponses.ts'
import { readStoredSessions } from '../src/siwx/serverSiwx.ts'
import { createStorage, type StorageKey } from '../src/storage.ts'
import { createFakeFrame, frameOrigin } from './fakeFrame.ts'
import { createPage } from './page.ts'
import { login, walletConnect } from './storedPages.json'
import { createBrowser, openQuietApp, settle } from './tab.ts'

/*
 * storedPages.json holds the entries that an earlier version left in the storage of two pages: one
 * user is logged in by email, has signed in, and has begun a purchase; the other is connected over
 * WalletConnect. The entries must stay readable. Never rewrite them to make a test pass.
 */

const address = '0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e'
const chainId = 'eip155:31337'

type StoredPage = typeof login | typeof walletConnect

/** A tab of a browser whose storage holds the entries of a page. */
function openStoredTab({ localStorage }: StoredPage) {
  const browser = createBrowser()
  for (const [key, value] of Object.entries(localStorage)) browser.entries.set(key, value)
  return browser.openTab()
}

function openLogin() {
  const frame = createFakeFrame()
  frame.isSignedIn = true
  frame.handlers.APP_GET_USER = () => ({
    email: 'ada@people.example',
    address,
    chainId: 31337,
    accounts: [{ address, type: 'smartAccount' }],
    preferredAccountType: 'smartAccount',
  })
  const place = { framePlace: frame.place, now: () => login.nowMs }
  const config = { frameUrl: frameOrigin, apiUrl: login.apiUrl }
  return { app: openQuietApp({ ...openStoredTab(login), ...place }, config), frame }
}

const entriesOf = (page: StoredPage) =>
  Object.entries(page.localStorage).flatMap(([key, text]) => {
    const [, name = ''] = /^latchkey\.(\w+)$/.exec(key) ?? []
    return name === '' ? [] : [{ name: name as StorageKey, text, page }]
  })

test.each([...entriesOf(login), ...entriesOf(walletConnect)])(
  'behavior: the entry $name is read whole',
  ({ name, text, page }) => {
    const { value } = JSON.parse(text)
    expect(createStorage(openStoredTab(page)).get(name)).toEqual(value)
  },
)

test('behavior: the page shows the saved connection at once, and the frame confirms it', async () => {
  const { app, frame } = openLogin()
  const connection = { connectorId: 'ID_AUTH', account: { address, type: 'smartAccount' }, chainId }
  const state = () => app.store.getState()
  expect(state().connections.eip155).toMatchObject({ ...connection, status: 'reconnecting' })
  expect(state()).toMatchObject({ activeChainId: chainId, user: { email: 'ada@people.example' } })
  await settle()
  expect(state().connections.eip155).toMatchObject({ ...connection, status: 'connected' })
  expect(frame.calls.map(({ method }) => method)).not.toContain('APP_CONNECT_EMAIL')
})

test('behavior: sign-in, purchase, balances, name and wallets of the last visit are still known', async () => {
  const { app } = openLogin()
  expect(readStoredSessions(app, 'token')).toMatchObject([
    { data: { accountAddress: address, chainId }, token: expect.any(String) },
  ])
  expect(getSavedOrders(app, { address, chainId })).toHaveLength(1)
  expect(await getNativeBalance(app, { address, chainId })).toBe(9_750_000_000_000_000_000n)
  expect(await getBalances(app, { address, chainId })).toMatchObject([
    { symbol: 'ETH', quantity: { numeric: '9.75' } },
    { symbol: 'dUSD', quantity: { numeric: '250' } },
  ])
  const place = { cache: 'names', id: `identity ${chainId}:${address}` } as const
  expect(getSavedResponse(app, { ...place, lifetimeMs: 60_000 })).toMatchObject({
    value: { name: 'ada-stored.latchkey.id' },
  })
  expect(getSavedWallets(app)?.wallets.length).toBeGreaterThan(0)
})

test('behavior: a page that was connected over WalletConnect has its session', async () => {
  const app = openQuietApp(
    { ...openStoredTab(walletConnect), page: createPage(), now: () => walletConnect.nowMs },
    { wallets: { walletConnect: { relayUrl: 'ws://127.0.0.1:1' } } },
  )
  await settle()
  expect(app.store.getState().connections.eip155).toMatchObject({
    status: 'connected',
    connectorId: 'walletConnect',
    chainId,
    account: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
    wallet: { name: 'Latchkey Development Wallet' },
  })
  app.destroy()
})
