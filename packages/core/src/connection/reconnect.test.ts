import { LatchkeyError, type Namespace } from '@latchkey/wire'
import { expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  deferred,
  type FakeWallet,
  fakeConnector,
  neverSleep,
} from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { getActiveWallet } from './getActiveWallet.ts'
import { reconnect } from './reconnect.ts'
import { request } from './requests/request.ts'

const prompting = ['eth_requestAccounts', 'wallet_requestPermissions', 'personal_sign']
const prompts = (wallet: FakeWallet) =>
  wallet.calls.filter(({ method }) => prompting.includes(method)).length

const connectors = (wallets: Record<string, FakeWallet>) =>
  Object.entries(wallets).map(([id, wallet]) => fakeConnector({ id, wallet }))

/** A browser in which the wallets were connected one after the other, the last is current. */
async function visited(...ids: string[]) {
  const browser = createBrowser()
  const wallets = Object.fromEntries(ids.map((id) => [id, createFakeWallet()]))
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  for (const connectorId of ids) await connect(app, { connectorId })
  app.destroy()
  for (const wallet of Object.values(wallets)) wallet.calls.length = 0
  return { browser, wallets }
}

const status = (app: ReturnType<typeof openApp>) => app.store.getState().connections.eip155.status

test('default', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  expect(app.store.getState().connections.eip155).toMatchObject({
    status: 'reconnecting',
    account: { address: alice },
  })
  expect(app.store.getInitialState().connections.eip155).toEqual({ status: 'disconnected' })
  await settle()
  expect(status(app)).toBe('connected')
  expect(wallets['a.one'] && prompts(wallets['a.one'])).toBe(0)
})

test('behavior: the wallet may announce itself late', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), sleep: neverSleep })
  await settle()
  expect(status(app)).toBe('reconnecting')
  const [connector] = connectors(wallets)
  if (connector) app.connectors.set('a.one', connector)
  app.store.setState({ connectors: [] })
  await settle()
  expect(status(app)).toBe('connected')
})

test('behavior: a request to a wallet that announces itself late waits for it', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), sleep: neverSleep })
  const switching = switchNetwork(app, { chainId: 'eip155:31338' })
  const asking = request(app, { method: 'eth_accounts' })
  const finding = getActiveWallet(app)
  await settle()
  expect(status(app)).toBe('reconnecting')
  const [connector] = connectors(wallets)
  if (connector) app.connectors.set('a.one', connector)
  app.store.setState({ connectors: [] })
  expect(await asking).toEqual([alice])
  expect(await finding).toMatchObject({ connection: { connectorId: 'a.one' } })
  await switching
  expect(app.store.getState().activeChainId).toBe('eip155:31338')
})

test('error: a request to a wallet that does not come back ends with its connection', async () => {
  const { browser } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), sleep: neverSleep })
  const asking = request(app, { method: 'eth_accounts' })
  const finding = getActiveWallet(app)
  await settle()
  await disconnect(app)
  for (const each of [asking, finding])
    await expect(each).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
})

test('behavior: a wallet that does not come back leaves the page disconnected, and is tried next time', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), sleep: () => Promise.resolve() })
  await settle()
  expect(status(app)).toBe('disconnected')
  app.destroy()
  const next = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(status(next)).toBe('connected')
})

test('behavior: a wallet that announces itself after the page has given up is still connected', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), sleep: () => Promise.resolve() })
  await settle()
  expect(status(app)).toBe('disconnected')
  const [connector] = connectors(wallets)
  if (connector) app.connectors.set('a.one', connector)
  app.store.setState({ connectors: [] })
  await settle()
  expect(status(app)).toBe('connected')
  expect(wallets['a.one'] && prompts(wallets['a.one'])).toBe(0)
})

test('behavior: but not after the user has connected another wallet or disconnected', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp({ ...browser.openTab(), sleep: () => Promise.resolve() })
  await settle()
  await disconnect(app)
  const [connector] = connectors(wallets)
  if (connector) app.connectors.set('a.one', connector)
  app.store.setState({ connectors: [] })
  await settle()
  expect(status(app)).toBe('disconnected')
  expect(wallets['a.one']?.calls.at(-1)?.method).not.toBe('eth_accounts')
})

test('behavior: only the first that allows an account becomes current', async () => {
  const { browser, wallets } = await visited('a.one', 'a.two')
  const { 'a.one': one, 'a.two': two } = wallets
  if (!one || !two) throw new Error('missing')
  two.accounts = []
  one.accounts = [bob]
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(app.store.getState().connections.eip155).toMatchObject({
    status: 'connected',
    connectorId: 'a.one',
    account: { address: bob },
  })
  expect(two.calls[0]?.method).toBe('eth_accounts')
})

test('behavior: disconnected on purpose stays so', async () => {
  const { browser, wallets } = await visited('a.one')
  const leaving = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  await disconnect(leaving)
  leaving.destroy()
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(status(app)).toBe('disconnected')
  await connect(app, { connectorId: 'a.one' })
  app.destroy()
  const next = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(status(next)).toBe('connected')
})

test('behavior: disconnected in another tab while the wallet’s response is pending', async () => {
  const { browser, wallets } = await visited('a.one')
  const leaving = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  const late = deferred<string[]>()
  if (wallets['a.one']) wallets['a.one'].answers.eth_accounts = () => late.promise
  const { area } = browser.openTab()
  const app = openApp({ area, events: new EventTarget(), connectors: connectors(wallets) })
  await settle()
  await disconnect(leaving)
  late.resolve([alice])
  await settle()
  expect(status(app)).toBe('disconnected')
  expect(status(leaving)).toBe('disconnected')
  expect(browser.entries.get('latchkey.connections')).not.toContain('a.one')
})

test('behavior: a failing sync only warns and sets disconnected', async () => {
  const { browser, wallets } = await visited('a.one')
  const { 'a.one': wallet } = wallets
  if (wallet) wallet.answers.eth_accounts = () => Promise.reject(new Error('boom'))
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(status(app)).toBe('disconnected')
  expect(app.warnings).toEqual(['Reconnecting to a.one failed'])
})

test.each([
  new LatchkeyError('ANSWER_INVALID'),
  new LatchkeyError('HTTP_FAILED', { data: { status: 511 } }),
  new LatchkeyError('FRAME_NOT_LOADED', { data: { host: 'frame.example' } }),
  new TypeError('Failed to fetch dynamically imported module: https://app.example/a.js'),
  new TypeError("'text/html' is not a valid JavaScript MIME type."),
])('behavior: an answer that is not the server’s ends nothing: %s', async (error) => {
  const { browser, wallets } = await visited('a.one')
  let isPortal = true
  const all = connectors(wallets).map((connector) => ({
    ...connector,
    authorized: (asked: { namespace: Namespace }) =>
      isPortal ? Promise.reject(error) : connector.authorized(asked),
  }))
  const chosen = browser.entries.get('latchkey.activeChainId')
  const page = createPage()
  const app = openApp({
    ...browser.openTab(),
    connectors: all,
    sleep: neverSleep,
    page,
  })
  await settle()
  expect(app.store.getState().connections.eip155).toMatchObject({
    status: 'reconnecting',
    isUnreached: true,
    account: { address: alice },
  })
  expect(browser.entries.get('latchkey.activeChainId')).toBe(chosen)
  isPortal = false
  page.dispatchEvent(new Event('online'))
  await settle()
  expect(status(app)).toBe('connected')
})

test('behavior: if the server of the wallet is not reached, the account stays, and the app tries again', async () => {
  const { browser, wallets } = await visited('a.one')
  const { 'a.one': wallet } = wallets
  if (!wallet) throw new Error('missing')
  wallet.answers.eth_accounts = () => Promise.reject(new LatchkeyError('OFFLINE'))
  const waits: { ms: number; end: () => void }[] = []
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end) => {
      waits.push({ ms, end })
      signal?.addEventListener('abort', () => end())
    })
  const page = createPage()
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets), sleep, page })
  await settle()
  const account = { status: 'reconnecting', isUnreached: true, account: { address: alice } }
  expect(app.store.getState().connections.eip155).toMatchObject(account)
  const retries = () => waits.filter(({ ms }) => ms !== 3_000)
  expect(retries().map(({ ms }) => ms)).toEqual([1_000])
  retries()[0]?.end()
  await settle()
  page.dispatchEvent(new Event('online'))
  await settle()
  page.comeBack()
  await settle()
  expect(retries().map(({ ms }) => ms)).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(app.store.getState().connections.eip155).toMatchObject(account)
  delete wallet.answers.eth_accounts
  page.dispatchEvent(new Event('online'))
  await settle()
  expect(status(app)).toBe('connected')
  expect(app.store.getState().connections.eip155).not.toHaveProperty('isUnreached')
})

test('behavior: a network whose wallet fails is selected again at the next visit', async () => {
  const { browser, wallets } = await visited('a.one')
  const { 'a.one': wallet } = wallets
  if (wallet) wallet.answers.eth_accounts = () => Promise.reject(new Error('boom'))
  const chosen = browser.entries.get('latchkey.activeChainId')
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(status(app)).toBe('disconnected')
  expect(browser.entries.get('latchkey.activeChainId')).toBe(chosen)
})

test('behavior: a wallet that never answers is given up', async () => {
  const { browser, wallets } = await visited('a.one')
  const { 'a.one': wallet } = wallets
  if (!wallet) throw new Error('missing')
  wallet.answers.eth_accounts = () => new Promise(() => {})
  const connector = fakeConnector({ id: 'a.one', wallet, sleep: () => Promise.resolve() })
  const app = openApp({ ...browser.openTab(), connectors: [connector] })
  await settle()
  expect(status(app)).toBe('disconnected')
  expect(app.warnings.length).toBe(1)
})

test('behavior: a connect while it runs wins', async () => {
  const { browser, wallets } = await visited('a.one')
  const { 'a.one': one } = wallets
  const late = deferred<string[]>()
  if (one) one.answers.eth_accounts = () => late.promise
  const two = createFakeWallet()
  two.accounts = [bob]
  const app = openApp({
    ...browser.openTab(),
    connectors: connectors({ ...wallets, 'a.two': two }),
  })
  await connect(app, { connectorId: 'a.two' })
  late.resolve([alice])
  await settle()
  expect(app.store.getState().connections.eip155).toMatchObject({ connectorId: 'a.two' })
})

test('behavior: a switch of the network during the silent reconnect is kept', async () => {
  const { browser, wallets } = await visited('a.one')
  const { 'a.one': wallet } = wallets
  if (!wallet) throw new Error('missing')
  const late = deferred<string>()
  wallet.answers.eth_chainId = () => late.promise
  const app = openApp({ ...browser.openTab(), connectors: connectors(wallets) })
  await settle()
  expect(status(app)).toBe('reconnecting')
  wallet.emit('chainChanged', '0x7a6a')
  late.resolve('0x7a69')
  await settle()
  expect(status(app)).toBe('connected')
  expect(app.store.getState().activeChainId).toBe('eip155:31338')
})

test('param: wallets.reconnect', async () => {
  const { browser, wallets } = await visited('a.one')
  const app = openApp(
    { ...browser.openTab(), connectors: connectors(wallets) },
    { wallets: { reconnect: false } },
  )
  await settle()
  expect(status(app)).toBe('disconnected')
  expect(wallets['a.one']?.calls).toEqual([])
})

test('error: a second one while one runs', async () => {
  const app = openApp()
  const first = reconnect(app)
  await expect(reconnect(app)).rejects.toMatchObject({ code: 'RECONNECT_RUNNING' })
  const other = openApp()
  await Promise.all([first, reconnect(other)])
  await reconnect(app)
})
