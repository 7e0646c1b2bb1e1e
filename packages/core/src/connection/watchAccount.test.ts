import { expect, test } from 'vitest'
import { alice, bob, createFakeWallet, deferred, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import { openModal } from '../modal/modal.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { setSendDraft } from '../send/setSendDraft.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

async function connected(config: Parameters<typeof openApp>[1] = {}) {
  const wallet = createFakeWallet()
  const connectors = [fakeConnector({ id: 'a.one', wallet })]
  const browser = createBrowser()
  const app = openApp({ ...browser.openTab(), connectors }, config)
  await connect(app, { connectorId: 'a.one' })
  return { app, wallet, browser, connectors, state: () => app.store.getState() }
}

test('default', async () => {
  const { wallet, state } = await connected()
  wallet.emit('accountsChanged', [bob, alice])
  expect(state().connections.eip155).toMatchObject({
    status: 'connected',
    account: { address: bob },
    caipAddress: `eip155:31337:${bob}`,
  })
  wallet.emit('chainChanged', '0x7a6a')
  expect(state().activeChainId).toBe('eip155:31338')
  expect(state().connections.eip155).toMatchObject({ caipAddress: `eip155:31338:${bob}` })
})

test('behavior: an unknown chain opens UnsupportedChain, coming back closes it', async () => {
  const { wallet, state } = await connected()
  wallet.emit('chainChanged', '0x1')
  expect(state().unsupportedChainId).toBe('eip155:1')
  expect(state().activeChainId).toBe('eip155:31337')
  expect(state().modal).toMatchObject({ open: true, history: [{ name: 'UnsupportedChain' }] })
  wallet.emit('chainChanged', '0x7a6a')
  expect(state().unsupportedChainId).toBeUndefined()
  expect(state().modal.open).toBe(false)
})

test.each([{ allowUnsupportedChain: true }, { networkSwitch: false }])(
  'param: %j keeps the modal shut',
  async (modal) => {
    const { app, wallet, state } = await connected({ modal })
    wallet.emit('chainChanged', '0x1')
    expect(state().unsupportedChainId).toBe('eip155:1')
    expect(state().modal.open).toBe(false)
    openModal(app)
    expect(state().modal.history).toEqual([{ name: 'Account' }])
  },
)

test('behavior: a disconnect on an unknown chain closes the modal', async () => {
  const { app, wallet, state } = await connected()
  wallet.emit('chainChanged', '0x1')
  await disconnect(app)
  expect(state()).toMatchObject({ unsupportedChainId: undefined, modal: { open: false } })
})

test('behavior: a change of network resets the send draft, a change of account does not', async () => {
  const { app, wallet, state } = await connected()
  setSendDraft(app, { amount: '1' })
  wallet.emit('accountsChanged', [bob])
  expect(state().sendDraft.amount).toBe('1')
  wallet.emit('chainChanged', '0x7a6a')
  expect(state().sendDraft).toEqual({ amount: '', receiverAddress: '' })
})

test('behavior: a wallet that locks or goes leaves the page disconnected', async () => {
  const { wallet, state } = await connected()
  wallet.emit('accountsChanged', [])
  expect(state().connections.eip155).toEqual({ status: 'disconnected' })
  expect(wallet.listenerCount()).toBe(0)
})

test('behavior: a disconnect event counts only if the wallet no longer allows anything', async () => {
  const { wallet, state } = await connected()
  wallet.emit('disconnect', { code: 1013 })
  await settle()
  expect(state().connections.eip155.status).toBe('connected')
  wallet.answers.eth_accounts = () => Promise.reject(new Error('Extension context invalidated'))
  wallet.emit('disconnect')
  await settle()
  expect(state().connections.eip155.status).toBe('disconnected')
})

test.each([
  ['accountsChanged', ['<script>']],
  ['accountsChanged', null],
  ['chainChanged', 'mainnet'],
  ['chainChanged', {}],
])('behavior: the garbage %s %j is passed over', async (event, value) => {
  const { wallet, state } = await connected()
  const before = state()
  wallet.emit(event, value)
  expect(state()).toBe(before)
})

test('behavior: a destroyed app listens no longer', async () => {
  const { app, wallet } = await connected()
  app.destroy()
  expect(wallet.listenerCount()).toBe(0)
})

test('behavior: an unknown event changes nothing', async () => {
  let tell: (event: unknown) => void = () => {}
  const connector = fakeConnector({ id: 'a.one', wallet: createFakeWallet() })
  const own: typeof connector = {
    ...connector,
    subscribe(listener) {
      tell = listener as typeof tell
      return () => {}
    },
  }
  const app = openApp({ ...createBrowser().openTab(), connectors: [own] })
  await connect(app, { connectorId: 'a.one' })
  const before = app.store.getState().connections
  tell({ type: 'message', data: 'hello' })
  expect(app.store.getState().connections).toBe(before)
  tell({ type: 'disconnect' })
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
})

test('behavior: events of a wallet that was left do not count', async () => {
  const { app, wallet, state } = await connected()
  await disconnect(app)
  wallet.emit('accountsChanged', [bob])
  expect(state().connections.eip155.status).toBe('disconnected')
})

test('behavior: connect, switch and disconnect reach the other tab without a prompt', async () => {
  const wallet = createFakeWallet()
  const connectors = [fakeConnector({ id: 'a.one', wallet })]
  const browser = createBrowser()
  const one = openApp({ ...browser.openTab(), connectors })
  const two = openApp({ ...browser.openTab(), connectors })
  await connect(one, { connectorId: 'a.one' })
  // The first change loads the code that follows tabs.
  await expect
    .poll(() => two.store.getState().connections.eip155)
    .toMatchObject({ account: { address: alice } })
  expect(wallet.calls.filter(({ method }) => method === 'eth_requestAccounts').length).toBe(1)
  await switchNetwork(two, { chainId: 'eip155:31338' })
  await settle()
  expect(one.store.getState().activeChainId).toBe('eip155:31338')
  const writes = browser.entries.size
  await disconnect(two)
  await settle()
  expect(one.store.getState().connections.eip155).toEqual({ status: 'disconnected' })
  await switchNetwork(one, { chainId: 'eip155:31337' })
  await settle()
  expect(two.store.getState().activeChainId).toBe('eip155:31337')
  expect(browser.entries.size).toBeGreaterThanOrEqual(writes)
})

test('behavior: a wallet event does not restore a connection that another tab has ended', async () => {
  const wallet = createFakeWallet()
  const connectors = [fakeConnector({ id: 'a.one', wallet })]
  const browser = createBrowser()
  const one = openApp({ ...browser.openTab(), connectors })
  await connect(one, { connectorId: 'a.one' })
  // Storage events arrive later than the changes that they report.
  const { area } = browser.openTab()
  const two = openApp({ area, events: new EventTarget(), connectors })
  await expect.poll(() => two.store.getState().connections.eip155.status).toBe('connected')
  await disconnect(one)
  wallet.emit('accountsChanged', [bob])
  await settle()
  expect(one.store.getState().connections.eip155).toEqual({ status: 'disconnected' })
  expect(browser.entries.get('latchkey.connections')).not.toContain('a.one')
})

test('behavior: a failed reconnect of one tab does not disconnect the other', async () => {
  const { app, browser } = await connected()
  openApp({ ...browser.openTab(), sleep: () => Promise.resolve() })
  await settle()
  expect(app.store.getState().connections.eip155.status).toBe('connected')
})

test('behavior: an account change overtakes a slower read', async () => {
  const { wallet, browser, state } = await connected()
  const late = deferred<string[]>()
  wallet.answers.eth_accounts = () => late.promise
  const saved = browser.entries.get('latchkey.connections') ?? ''
  browser.openTab().area.setItem('latchkey.connections', saved)
  await expect.poll(() => wallet.calls.at(-1)?.method).toBe('eth_accounts')
  wallet.emit('accountsChanged', [bob])
  late.resolve([alice])
  await settle()
  expect(state().connections.eip155).toMatchObject({ account: { address: bob } })
})
