import type { Namespace } from '@latchkey/wire'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { selectNamespace } from '../network/selectNamespace.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { latchkeyOne, type Network, solanaDevnet } from '../networks.ts'
import { activeConnection, activeNetwork, isConnected } from '../state.ts'
import { connect } from './connect.ts'
import type { Connector, ConnectorEvent } from './connectors/connector.ts'
import { disconnect } from './disconnect.ts'
import { request } from './request.ts'

const other = (chainNamespace: Namespace, id: string): Network => ({
  ...solanaDevnet,
  id,
  chainNamespace,
  caipNetworkId: `${chainNamespace}:${id}` as 'eip155:1',
  name: chainNamespace,
})

/** A network and an address of each namespace. */
const places = {
  eip155: { network: latchkeyOne, address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
  solana: { network: solanaDevnet, address: '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS' },
  polkadot: {
    network: other('polkadot', '91b171bb158e2d3848fa23a9f1c25182'),
    address: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  },
  bip122: {
    network: other('bip122', '0f9188f13cb7b2c71f2a335e3a4fc328'),
    address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  },
} as const

const all = Object.keys(places) as Namespace[]
const pairs = all.flatMap((one) => all.flatMap((two) => (one === two ? [] : [[one, two] as const])))

/** A wallet of one namespace that approves everything. */
function createWallet(namespace: Namespace) {
  const { network, address } = places[namespace]
  const listeners = new Set<(event: ConnectorEvent) => void>()
  const result = {
    accounts: [{ namespace, address, type: 'eoa' }],
    chainId: network.caipNetworkId,
  } as const
  const asked: string[] = []
  const wallet = { isAllowed: false }
  const connector: Connector = {
    info: {
      id: `wallet.${namespace}`,
      kind: 'announced',
      name: namespace,
      namespaces: [namespace],
    },
    async connect() {
      wallet.isAllowed = true
      return result
    },
    authorized: async () => (wallet.isAllowed ? result : undefined),
    async request(chainId, method) {
      asked.push(`${chainId} ${method}`)
      return namespace
    },
    async disconnect() {
      wallet.isAllowed = false
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const emit = (event: ConnectorEvent) => {
    for (const listener of listeners) listener(event)
  }
  return { connector, asked, emit }
}

describe.each(pairs)('%s, then %s', (one, two) => {
  const browser = { current: createBrowser() }
  const wallets = { [one]: createWallet(one), [two]: createWallet(two) } as Record<
    Namespace,
    ReturnType<typeof createWallet>
  >
  const networks = [places[one].network, places[two].network] as const
  /** What may never stand: an address under another namespace, a selected network that is not its connection's. */
  function assertApart(app: App) {
    const state = app.store.getState()
    for (const [namespace, connection] of Object.entries(state.connections)) {
      if (!isConnected(connection)) continue
      expect(connection.account).toMatchObject({
        namespace,
        address: places[namespace as Namespace].address,
      })
      expect(connection.caipAddress).toMatch(
        new RegExp(`^${namespace}:[^:]+:${connection.account.address}$`),
      )
    }
    const active = activeConnection(state)
    const shown = state.unsupportedChainId ?? activeNetwork(state).caipNetworkId
    if (isConnected(active)) expect(active.chainId).toBe(shown)
  }
  async function open() {
    const connectors = [wallets[one].connector, wallets[two].connector]
    const app = openApp({ ...browser.current.openTab(), connectors }, { networks })
    app.store.subscribe(() => assertApart(app))
    assertApart(app)
    await settle()
    return app
  }
  const status = (app: App) => {
    const { connections } = app.store.getState()
    return [connections[one].status, connections[two].status]
  }
  const active = (app: App) => activeNetwork(app.store.getState()).chainNamespace

  beforeEach(() => {
    browser.current = createBrowser()
  })

  test('default', async () => {
    const app = await open()
    await connect(app, { connectorId: `wallet.${one}` })
    await connect(app, { connectorId: `wallet.${two}` })
    expect(status(app)).toEqual(['connected', 'connected'])
    expect(active(app)).toBe(two)
    selectNamespace(app, { namespace: one })
    expect(active(app)).toBe(one)
    // The other wallet's news do not take the visitor there.
    const accounts = [{ namespace: two, address: places[two].address, type: 'eoa' }] as const
    wallets[two].emit({ type: 'accountsChanged', accounts })
    expect(active(app)).toBe(one)
    const { caipNetworkId } = places[two].network
    expect(await request(app, { method: 'own' })).toBe(one)
    expect(await request(app, { method: 'other', chainId: caipNetworkId })).toBe(two)
    await switchNetwork(app, { chainId: caipNetworkId })
    expect(active(app)).toBe(two)
    app.destroy()
  })

  test('behavior: both are there again after a reload, the active one first', async () => {
    const before = await open()
    await connect(before, { connectorId: `wallet.${one}` })
    await connect(before, { connectorId: `wallet.${two}` })
    selectNamespace(before, { namespace: one })
    before.destroy()
    const app = await open()
    await vi.waitFor(() => expect(status(app)).toEqual(['connected', 'connected']))
    expect(active(app)).toBe(one)
    await disconnect(app, { namespace: one })
    expect(status(app)).toEqual(['disconnected', 'connected'])
    // What is left is what is shown.
    expect(active(app)).toBe(two)
    app.destroy()
    const again = await open()
    await vi.waitFor(() => expect(status(again)).toEqual(['disconnected', 'connected']))
    expect(active(again)).toBe(two)
    await disconnect(again)
    expect(status(again)).toEqual(['disconnected', 'disconnected'])
    again.destroy()
  })

  test('behavior: a wallet that takes its account away leaves the other', async () => {
    const app = await open()
    await connect(app, { connectorId: `wallet.${one}` })
    await connect(app, { connectorId: `wallet.${two}` })
    wallets[two].emit({ type: 'accountsChanged', accounts: [] })
    expect(status(app)).toEqual(['connected', 'disconnected'])
    expect(active(app)).toBe(one)
    app.destroy()
  })

  test('behavior: a wallet on a network that the app does not have says so once its namespace is active', async () => {
    const app = await open()
    await connect(app, { connectorId: `wallet.${one}` })
    await connect(app, { connectorId: `wallet.${two}` })
    const elsewhere = `${one}:999` as 'eip155:1'
    wallets[one].emit({ type: 'chainChanged', chainId: elsewhere })
    expect(app.store.getState().unsupportedChainId).toBeUndefined()
    expect(active(app)).toBe(two)
    selectNamespace(app, { namespace: one })
    expect(active(app)).toBe(one)
    expect(app.store.getState().unsupportedChainId).toBe(elsewhere)
    expect(app.store.getState().modal.history).toEqual([{ name: 'UnsupportedChain' }])
    selectNamespace(app, { namespace: two })
    expect(app.store.getState().unsupportedChainId).toBeUndefined()
    app.destroy()
  })
})
