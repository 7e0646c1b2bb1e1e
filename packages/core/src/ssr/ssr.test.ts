import { expect, onTestFinished, test, vi } from 'vitest'
import { alice, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { createApp } from '../createApp.ts'
import { latchkeyOne, latchkeyTwo } from '../networks.ts'
import { cookieToInitialState } from './savedState.ts'

const config = {
  projectId: 'local',
  apiUrl: 'http://127.0.0.1:1',
  networks: [latchkeyOne, latchkeyTwo],
} as const

/** The cookies that the page sets with `document.cookie`. */
function useCookies() {
  const jar = new Map<string, string>()
  const lines: string[] = []
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('document', {
    title: 'Shop',
    querySelector: () => null,
    set cookie(line: string) {
      lines.push(line)
      const [pair = ''] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (/Max-Age=0/.test(line)) jar.delete(name)
      else jar.set(name, value)
    },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return { header, lines }
}

const connectors = () => [fakeConnector({ id: 'a.one', wallet: createFakeWallet() })]

test('default: a server renders the account and the network of the last page', async () => {
  const { header, lines } = useCookies()
  const tab = createBrowser().openTab()
  const app = openApp({ ...tab, connectors: connectors() }, { ssr: true, storageKey: 'shop' })
  onTestFinished(app.destroy)
  await connect(app, { connectorId: 'a.one' })
  await expect.poll(header).toMatch(/^shop\.state=/)
  expect(lines.at(-1)).toMatch(/; Path=\/; Max-Age=31536000; SameSite=Lax; Secure$/)
  const cookie = `other=1; ${header()}; last=2`
  const initialState = cookieToInitialState({ storageKey: 'shop' }, cookie)
  const server = createApp({ ...config, initialState })
  expect(server.store.getInitialState()).toMatchObject({
    activeChainId: 'eip155:31337',
    connections: {
      eip155: { status: 'reconnecting', account: { address: alice } },
      solana: { status: 'disconnected' },
    },
  })
  const { activeChainId, connections } = server.store.getInitialState()
  expect(server.store.getState()).toMatchObject({ activeChainId, connections })
  expect(cookieToInitialState({}, cookie)).toBeUndefined()
  await disconnect(app)
  await expect.poll(header).toBe('')
})

test('behavior: in a browser, its storage decides', async () => {
  const saved = { connectorId: 'a.one', chainId: 'eip155:31338' } as const
  const account = { namespace: 'eip155', address: alice, type: 'eoa' } as const
  const initialState = {
    activeChainId: 'eip155:31338',
    connections: { eip155: { ...saved, accounts: [account] } },
  } as const
  const tab = createBrowser().openTab()
  const app = openApp({ ...tab, connectors: connectors() }, { initialState } as never)
  onTestFinished(app.destroy)
  expect(app.store.getInitialState().connections.eip155.status).toBe('reconnecting')
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
  const off = openApp(tab, { initialState, wallets: { reconnect: false } } as never)
  onTestFinished(off.destroy)
  expect(off.store.getInitialState().connections.eip155.status).toBe('disconnected')
})

test('behavior: without ssr there is no cookie', async () => {
  const { lines } = useCookies()
  const app = openApp({ ...createBrowser().openTab(), connectors: connectors() })
  onTestFinished(app.destroy)
  await connect(app, { connectorId: 'a.one' })
  await settle()
  expect(lines).toEqual([])
})

test.each([
  ['none', null],
  ['another', 'a=b'],
  ['empty', 'latchkey.state='],
  ['not encoded', 'latchkey.state=%E0%A4%A'],
  ['not JSON', 'latchkey.state=abc'],
  ['without a network', `latchkey.state=${encodeURIComponent('{"connections":{}}')}`],
  [
    'an account without an address',
    `latchkey.state=${encodeURIComponent('{"activeChainId":"eip155:1","connections":{"eip155":{"accounts":[{}]}}}')}`,
  ],
  ['nested deep', `latchkey.state=${encodeURIComponent('['.repeat(1_000))}`],
  ['too long', `latchkey.state=${'a'.repeat(5_000)}`],
])('error: a cookie that is %s', (_, cookie) => {
  expect(cookieToInitialState({}, cookie)).toBeUndefined()
})

test('error: a network that the app does not have', () => {
  const cookie = `latchkey.state=${encodeURIComponent('{"activeChainId":"eip155:1","connections":{}}')}`
  const app = createApp({ ...config, initialState: cookieToInitialState({}, cookie) })
  expect(app.store.getState().activeChainId).toBe('eip155:31337')
})
