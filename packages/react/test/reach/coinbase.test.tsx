import { type App, disconnect, request, switchNetwork } from '@latchkey/core'
import { type Hex, stringToHex, verifyMessage } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { coinbaseWallet } from '../../src/coinbase.ts'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'
import { areClosed, clearKeys, keysUrl } from './keysWindows.ts'

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const raw = stringToHex('Hello')

let fetched: string[]
beforeEach(() => {
  clearKeys()
  fetched = []
  const fetchNow = window.fetch
  vi.spyOn(window, 'fetch').mockImplementation((input, init) => {
    fetched.push(String(input))
    return fetchNow(input, init)
  })
})
afterEach(() => clearKeys())

async function openList(options: Parameters<typeof testApp>[2] = {}, tag = 'Window') {
  const app = testApp({ wallets: { connectors: [coinbaseWallet({ keysUrl })] } }, {}, options)
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(button('Coinbase Wallet')).toHaveTextContent(`Coinbase Wallet${tag}`)
  return app
}

const getConnection = (app: App) => app.store.getState().connections.eip155

/** Opens and collects the windows of the wallet. */
function watchWindows() {
  const windows: Window[] = []
  const open = window.open.bind(window)
  const spy = vi.spyOn(window, 'open').mockImplementation((...args) => {
    const opened = open(...args)
    if (opened) windows.push(opened)
    return opened
  })
  return { windows, spy }
}

afterEach(areClosed)

performance.setResourceTimingBufferSize(10_000)
/**
 * The files of the connector that the page has loaded, without the part that the app's config
 * needs.
 */
const getLoaded = () =>
  performance
    .getEntriesByType('resource')
    .filter(({ name }) => /wallet-sdk|openCoinbase/.test(name))

test('behavior: nothing of it is loaded before it is chosen', async () => {
  await openList()
  expect(getLoaded()).toEqual([])
  await button('Coinbase Wallet').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(getLoaded().length).toBeGreaterThan(1)
})

test('default: connects in its window, signs, switches network, reads at our node, and disconnects', async () => {
  const { windows } = watchWindows()
  const app = await openList()
  expect(fetched).toEqual([])
  await button('Coinbase Wallet').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(getConnection(app)).toMatchObject({
    ...{ status: 'connected', connectorId: 'coinbaseWalletSDK' },
    ...{ account: { address: bob }, chainId: 'eip155:31337' },
  })
  // One window, which the click has opened.
  expect(windows).toHaveLength(1)
  await areClosed()
  const signature = await request(app, { method: 'personal_sign', params: [raw, bob] })
  expect(await verifyMessage({ address: bob, message: { raw }, signature: signature as Hex })).toBe(
    true,
  )
  await areClosed()
  await switchNetwork(app, { chainId: 'eip155:31338' })
  expect(getConnection(app)).toMatchObject({ chainId: 'eip155:31338' })
  expect(await request(app, { method: 'eth_blockNumber', params: [] })).toBe('0x2')
  const refused = { from: bob, to: bob, value: '0x1' }
  await expect(
    request(app, { method: 'eth_sendTransaction', params: [refused] }),
  ).rejects.toMatchObject({ code: 'USER_REJECTED' })
  // The SDK looks at the page's own headers, and at nothing else.
  expect(fetched.filter((url) => !url.startsWith(location.origin))).toEqual([])
  await disconnect(app)
  expect(Object.keys(localStorage).filter((key) => /SignerType|accounts/.test(key))).toEqual([])
})

test('behavior: comes back after a reload without a window', async () => {
  const first = await openList({ area: localStorage })
  await button('Coinbase Wallet').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  first.destroy()
  const { spy } = watchWindows()
  const app = testApp(
    { wallets: { connectors: [coinbaseWallet({ keysUrl })] } },
    {},
    { area: localStorage },
  )
  await expect
    .poll(() => getConnection(app))
    .toMatchObject({
      ...{ status: 'connected', account: { address: bob } },
    })
  expect(spy).not.toHaveBeenCalled()
  await disconnect(app)
  for (const key of Object.keys(localStorage))
    if (key.startsWith('latchkey.')) localStorage.removeItem(key)
})

test('error: the browser blocks the window; another try connects', async () => {
  const app = await openList()
  const blocked = vi.spyOn(window, 'open').mockReturnValue(null)
  await button('Coinbase Wallet').click()
  const alert = dialog().getByRole('alert')
  await expect.element(alert).toHaveTextContent('Your browser blocked the window')
  // The SDK's own hint would stand below the modal, out of reach.
  expect(document.querySelector('[class*="cbwsdk"]')).toBeNull()
  expect(await violations()).toEqual([])
  blocked.mockRestore()
  await button('Try again').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(getConnection(app)).toMatchObject({ account: { address: bob } })
})

test('error: the window is closed before its page has loaded; another try connects', async () => {
  // The page never announces itself.
  localStorage.setItem('keysOfCoinbase.silent', 'yes')
  const { windows } = watchWindows()
  const app = await openList()
  await button('Coinbase Wallet').click()
  await expect.poll(() => windows.length).toBe(1)
  windows[0]?.close()
  const alert = dialog().getByRole('alert')
  await expect.element(alert).toHaveTextContent('closed before it answered')
  expect(getConnection(app).status).toBe('disconnected')
  localStorage.removeItem('keysOfCoinbase.silent')
  await button('Try again').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(windows).toHaveLength(2)
  expect(getConnection(app)).toMatchObject({ account: { address: bob } })
})

test('error: the window is closed after its page has loaded; another try connects', async () => {
  localStorage.setItem('keysOfCoinbase.waits', 'yes')
  const { windows } = watchWindows()
  const app = await openList()
  await button('Coinbase Wallet').click()
  await expect.poll(() => localStorage.getItem('keysOfCoinbase.waits')).toBe('asked')
  windows[0]?.close()
  await expect.element(dialog().getByText('Connection declined')).toBeVisible()
  expect(getConnection(app).status).toBe('disconnected')
  localStorage.removeItem('keysOfCoinbase.waits')
  await button('Try again').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(windows).toHaveLength(2)
  expect(getConnection(app)).toMatchObject({ account: { address: bob } })
})

test('behavior: the extension is listed in its place', async () => {
  const stop = announce([
    { name: 'Coinbase Wallet', rdns: 'com.coinbase.wallet', wallet: createFakeWallet() },
  ])
  const app = await openList({}, 'Installed')
  expect(button('Coinbase Wallet').elements()).toHaveLength(1)
  await button('Coinbase Wallet').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(getConnection(app)).toMatchObject({ connectorId: 'com.coinbase.wallet' })
  stop()
})
