import { expect, onTestFinished, test, vi } from 'vitest'
import { createFakeWallet, fakeConnector } from '../test/fakeWallet.ts'
import { createWindow } from '../test/page.ts'
import { createBrowser, openApp, settle } from '../test/tab.ts'
import { connect } from './connection/connect.ts'
import { createApp } from './createApp.ts'
import { setTheme } from './modal/setTheme.ts'
import { namespaceMetadata } from './namespaces/namespaceMetadata.ts'
import { latchkeyOne, latchkeyTwo } from './networks.ts'

test('default', () => {
  const app = createApp({
    projectId: 'local',
    apiUrl: 'http://127.0.0.1:1',
    networks: [latchkeyOne],
  })
  expect(app.config.features).toEqual({
    send: true,
    receive: true,
    onramp: true,
    swaps: true,
    smartSessions: false,
    history: true,
  })
  expect(app.config.wallets).toEqual({
    enabled: true,
    all: true,
    guide: true,
    injected: true,
    eip6963: true,
    walletStandard: true,
    walletConnect: true,
    reconnect: true,
  })
  expect(app.config.login).toEqual({ email: true, showWallets: true, logMessages: true })
  expect(app.config.modal).toEqual({ networkSwitch: true })
  expect(app.config.metadata).toEqual({ name: '', description: '', url: '', icons: [] })
  expect(app.store.getState()).toMatchObject({
    activeChainId: 'eip155:31337',
    theme: { mode: 'dark', variables: {} },
    modal: { open: false, history: [] },
    connectors: [
      {
        id: 'walletConnect',
        kind: 'walletConnect',
        name: 'WalletConnect',
        namespaces: ['eip155'],
      },
    ],
    recentWallets: [],
    contacts: [],
  })
  app.destroy()
})

test('param: defaultNetwork, themeMode, themeVariables', () => {
  const app = openApp(
    {},
    {
      defaultNetwork: 'eip155:31338',
      modal: { themeMode: 'light', themeVariables: { '--lk-accent': '#f00' } },
    },
  )
  expect(app.store.getState()).toMatchObject({
    activeChainId: 'eip155:31338',
    theme: { mode: 'light', variables: { '--lk-accent': '#f00' } },
  })
  setTheme(app, { mode: 'system', variables: { '--lk-radius': '4px' } })
  expect(app.store.getState().theme).toEqual({
    mode: 'system',
    variables: { '--lk-accent': '#f00', '--lk-radius': '4px' },
  })
  const other = openApp({}, { defaultNetwork: 'eip155:1' })
  expect(other.store.getState().activeChainId).toBe('eip155:31337')
})

test('behavior: the config of an app makes another app', () => {
  const first = openApp({}, { signIn: { required: false }, wallets: { guide: false } })
  expect(createApp(first.config, first.environment).config).toEqual(first.config)
  const plain = openApp()
  expect(createApp(plain.config, plain.environment).config).toEqual(plain.config)
})

test('behavior: an option that is undefined has its default', () => {
  const unset = { enabled: undefined, reconnect: null } as object
  const app = openApp({}, { wallets: { ...unset, guide: false } })
  expect(app.config.wallets).toMatchObject({ enabled: true, reconnect: true, guide: false })
})

test('behavior: fetches nothing and sends no request to a wallet before it is needed', async () => {
  const wallet = createFakeWallet()
  let fetched = 0
  openApp({
    ...createBrowser().openTab(),
    fetch: () => {
      fetched += 1
      return Promise.reject(new Error('no'))
    },
    connectors: [fakeConnector({ id: 'a.one', wallet })],
  })
  await settle()
  expect(fetched).toBe(0)
  expect(wallet.calls).toEqual([])
})

test('behavior: two apps work side by side', async () => {
  const connectors = [fakeConnector({ id: 'a.one', wallet: createFakeWallet() })]
  const one = openApp({ ...createBrowser().openTab(), connectors })
  const two = openApp({ ...createBrowser().openTab(), connectors })
  await connect(one, { connectorId: 'a.one' })
  one.destroy()
  expect(two.store.getState().connections.eip155.status).toBe('disconnected')
  await connect(two, { connectorId: 'a.one' })
  expect(two.store.getState().connections.eip155.status).toBe('connected')
})

test('behavior: a storage that cannot even be accessed does no harm', () => {
  vi.stubGlobal('window', createWindow())
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('no', 'SecurityError')
    },
  })
  const app = createApp({
    projectId: 'local',
    apiUrl: 'http://127.0.0.1:1',
    networks: [latchkeyOne, latchkeyTwo],
  })
  app.storage.set('activeChainId', 'eip155:31338')
  expect(app.storage.get('activeChainId')).toBe('eip155:31338')
  Reflect.deleteProperty(globalThis, 'localStorage')
  app.destroy()
})

test('error: a namespace without rules', async () => {
  // Every namespace has actions, so this removes them from a namespace.
  const { loadActions } = namespaceMetadata.bip122
  Object.assign(namespaceMetadata.bip122, { loadActions: undefined })
  onTestFinished(() => void Object.assign(namespaceMetadata.bip122, { loadActions }))
  await expect(openApp().loadActions('bip122')).rejects.toThrow(
    "Adapter for namespace bip122 doesn't exist",
  )
})

test('default: name, description, address and icon come from the page', () => {
  const found: Record<string, object> = {
    'link[rel~="icon"]': { href: 'https://shop.example/icon.png' },
    'meta[property="og:description"]': { content: 'Sells things' },
  }
  vi.stubGlobal('document', { title: 'Shop', querySelector: (selector: string) => found[selector] })
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const config = {
    projectId: 'local',
    apiUrl: 'http://127.0.0.1:1',
    networks: [latchkeyOne],
  } as const
  const page = {
    name: 'Shop',
    description: 'Sells things',
    url: 'https://shop.example',
    icons: ['https://shop.example/icon.png'],
  }
  expect(createApp(config).config.metadata).toEqual(page)
  const metadata = { name: 'Our shop' }
  expect(createApp({ ...config, metadata }).config.metadata).toEqual({ ...page, ...metadata })
})

test('param: debug false writes no warnings', () => {
  const config = {
    projectId: 'local',
    apiUrl: 'http://127.0.0.1:1',
    networks: [latchkeyOne],
  } as const
  for (const debug of [undefined, true, false]) {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const app = createApp({ ...config, ...(debug !== undefined && { debug }) })
    app.environment.warn('A part of the wallet could not be loaded', undefined)
    expect(warn.mock.calls.length).toBe(debug === false ? 0 : 1)
    warn.mockRestore()
    app.destroy()
  }
})

test('error: an `apiUrl` that is not absolute is a warning; a slash at its end does not matter', () => {
  const warned: string[] = []
  const apiUrlOf = (apiUrl: unknown) => {
    const config = {
      projectId: 'local',
      apiUrl: apiUrl as string,
      networks: [latchkeyOne],
    } as const
    const app = createApp(config, { warn: (message) => warned.push(message) })
    onTestFinished(() => app.destroy())
    return app.config.apiUrl
  }
  expect(apiUrlOf('https://wallet.example/')).toBe('https://wallet.example')
  expect(apiUrlOf('http://127.0.0.1:3000//')).toBe('http://127.0.0.1:3000')
  expect(warned).toEqual([])
  apiUrlOf('wallet.example')
  apiUrlOf(undefined)
  expect(warned).toEqual([
    '`apiUrl` is "wallet.example". Set it to the URL of your server, such as https://wallet.example',
    '`apiUrl` is "". Set it to the URL of your server, such as https://wallet.example',
  ])
})
