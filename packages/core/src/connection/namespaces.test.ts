import type { Namespace } from '@latchkey/wire'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createWindow } from '../../test/page.ts'
import { type PageWallet, places } from '../../test/pageWallets.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { openModal } from '../modal/modal.ts'
import { selectNamespace } from '../network/selectNamespace.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { activeConnection, activeNetwork, isConnected } from '../state.ts'
import { connect } from './connect.ts'
import type { Connector, ConnectorEvent } from './connectors/connector.ts'
import { disconnect } from './disconnect.ts'
import { request } from './requests/request.ts'

const all = Object.keys(places) as Namespace[]
const pairs = all.flatMap((one) => all.flatMap((two) => (one === two ? [] : [[one, two] as const])))

/**
 * A request that each namespace's wallet answers without prompting the user, and a request of
 * another namespace.
 */
const methods: Readonly<Record<Namespace, string>> = {
  eip155: 'eth_accounts',
  solana: 'solana_getAccounts',
  polkadot: 'polkadot_signMessage',
  bip122: 'getAccountAddresses',
}

describe.each(pairs)('%s, then %s', (one, two) => {
  let page: EventTarget
  let browser: ReturnType<typeof createBrowser>
  let wallets: Record<Namespace, PageWallet>
  const networks = [places[one].network, places[two].network] as const

  beforeEach(() => {
    page = createWindow()
    vi.stubGlobal('window', page)
    browser = createBrowser()
    const entries = all.map((namespace) => [namespace, places[namespace].create()])
    wallets = Object.fromEntries(entries)
    for (const namespace of all) wallets[namespace].register(page)
  })

  /**
   * The invariants: no address under another namespace, and a selected network only from its own
   * connection.
   */
  function assertApart(app: App) {
    const state = app.store.getState()
    for (const namespace of all) {
      const connection = state.connections[namespace]
      if (!isConnected(connection)) continue
      for (const account of connection.accounts) {
        expect(account.namespace).toBe(namespace)
        expect(places[namespace].addresses).toContain(account.address)
      }
      expect(connection.accounts).toContain(connection.account)
      expect(connection.caipAddress).toMatch(
        new RegExp(`^${namespace}:[^:]+:${connection.account.address}$`),
      )
    }
    const active = activeConnection(state)
    const shown = state.unsupportedChainId ?? activeNetwork(state).caipNetworkId
    if (isConnected(active)) expect(active.chainId).toBe(shown)
  }
  async function open(connectors: readonly Connector[] = []) {
    const app = openApp({ ...browser.openTab(), connectors }, { networks })
    app.store.subscribe(() => assertApart(app))
    assertApart(app)
    await settle()
    return app
  }
  const connectBoth = async (app: App) => {
    await connect(app, { connectorId: wallets[one].connectorId })
    await connect(app, { connectorId: wallets[two].connectorId })
  }
  const status = (app: App) => {
    const { connections } = app.store.getState()
    return [connections[one].status, connections[two].status]
  }
  const active = (app: App) => activeNetwork(app.store.getState()).chainNamespace
  const addressIn = (app: App, namespace: Namespace) => {
    const connection = app.store.getState().connections[namespace]
    return isConnected(connection) ? connection.account.address : undefined
  }

  test('behavior: the view and the form of the account in use outlast the end of the other wallet', async () => {
    const app = await open()
    await connectBoth(app)
    openModal(app, { view: { name: 'Account' } })
    app.store.setState({ sendDraft: { amount: '1', receiverAddress: '' } })
    await disconnect(app, { namespace: one })
    expect(app.store.getState()).toMatchObject({
      modal: { open: true },
      sendDraft: { amount: '1' },
    })
    await disconnect(app, { namespace: two })
    expect(app.store.getState()).toMatchObject({
      modal: { open: false },
      sendDraft: { amount: '' },
    })
  })

  test('behavior: a token of the wallet that ended closes', async () => {
    const app = await open()
    await connectBoth(app)
    const token = { chainId: places[one].network.caipNetworkId }
    openModal(app, { view: { name: 'TokenDetail', token } })
    await disconnect(app, { namespace: one })
    expect(app.store.getState().modal.open).toBe(false)
  })

  test('default: wallets of other namespaces are not listed; each wallet gets the methods of its namespace', async () => {
    const app = await open()
    const listed = app.store.getState().connectors.map(({ id }) => id)
    expect(listed.sort()).toEqual([wallets[one].connectorId, wallets[two].connectorId].sort())
    await connectBoth(app)
    expect(status(app)).toEqual(['connected', 'connected'])
    expect([addressIn(app, one), addressIn(app, two)]).toEqual([
      places[one].addresses[0],
      places[two].addresses[0],
    ])
    expect(active(app)).toBe(two)
    selectNamespace(app, { namespace: one })
    expect(active(app)).toBe(one)
    // Events of the other wallet do not switch the selected network.
    wallets[two].allow([places[two].addresses[1]])
    await settle()
    expect(active(app)).toBe(one)
    expect(addressIn(app, two)).toBe(places[two].addresses[1])
    expect(addressIn(app, one)).toBe(places[one].addresses[0])
    const { caipNetworkId: chainId } = places[two].network
    await expect(request(app, { method: methods[one], chainId })).rejects.toMatchObject({
      code: expect.stringMatching(/^(UNSUPPORTED_METHOD|METHOD_NOT_FOUND|INVALID_PARAMS)$/),
    })
    await switchNetwork(app, { chainId })
    expect(active(app)).toBe(two)
    app.destroy()
  })

  test('param: selects: false keeps the network of the account in use', async () => {
    const app = await open()
    await connect(app, { connectorId: wallets[one].connectorId, selects: false })
    expect(active(app)).toBe(one)
    await connect(app, { connectorId: wallets[two].connectorId, selects: false })
    expect(status(app)).toEqual(['connected', 'connected'])
    expect(active(app)).toBe(one)
    app.destroy()
  })

  test('behavior: both are there again after a reload, the active one first', async () => {
    const before = await open()
    await connectBoth(before)
    selectNamespace(before, { namespace: one })
    before.destroy()
    const app = await open()
    await expect.poll(() => status(app)).toEqual(['connected', 'connected'])
    expect(active(app)).toBe(one)
    expect([addressIn(app, one), addressIn(app, two)]).toEqual([
      places[one].addresses[0],
      places[two].addresses[0],
    ])
    await disconnect(app, { namespace: one })
    expect(status(app)).toEqual(['disconnected', 'connected'])
    // The remaining connection is shown.
    expect(active(app)).toBe(two)
    app.destroy()
    const again = await open()
    await expect.poll(() => status(again)).toEqual(['disconnected', 'connected'])
    expect(active(again)).toBe(two)
    await disconnect(again)
    expect(status(again)).toEqual(['disconnected', 'disconnected'])
    again.destroy()
  })

  test('behavior: a wallet that takes its account away leaves the other', async () => {
    const app = await open()
    await connectBoth(app)
    wallets[two].allow([])
    await expect.poll(() => status(app)).toEqual(['connected', 'disconnected'])
    expect(active(app)).toBe(one)
    app.destroy()
  })

  test('error: a wallet that names an address of the other namespace', async () => {
    const app = await open()
    await connectBoth(app)
    wallets[two].allow([places[one].addresses[0]])
    await settle()
    // It is passed over, or counts as none.
    expect([undefined, places[two].addresses[0]]).toContain(addressIn(app, two))
    expect(addressIn(app, one)).toBe(places[one].addresses[0])
    await disconnect(app, { namespace: two })
    const again = connect(app, { connectorId: wallets[two].connectorId })
    await expect(again).rejects.toMatchObject({
      code: expect.stringMatching(/^(WALLET_ANSWER_INVALID|UNAUTHORIZED)$/),
    })
    expect(status(app)).toEqual(['connected', 'disconnected'])
    app.destroy()
  })

  test('error: what was kept under the other namespace is not shown', async () => {
    const before = await open()
    await connectBoth(before)
    before.destroy()
    const key = 'latchkey.connections'
    const { version, value } = JSON.parse(browser.entries.get(key) ?? '')
    expect(Object.keys(value).sort()).toEqual([one, two].sort())
    const swapped = { [one]: value[two], [two]: value[one] }
    browser.entries.set(key, JSON.stringify({ version, value: swapped }))
    const app = await open()
    await settle()
    // A wallet that still allows its own account is found again.
    expect([undefined, places[one].addresses[0]]).toContain(addressIn(app, one))
    expect([undefined, places[two].addresses[0]]).toContain(addressIn(app, two))
    app.destroy()
  })

  test('behavior: a wallet on a network that the app does not have says so once its namespace is active', async () => {
    const { connector, emit } = createConnector(one)
    const app = await open([connector])
    await connect(app, { connectorId: connector.info.id })
    await connect(app, { connectorId: wallets[two].connectorId })
    const elsewhere = `${one}:999` as 'eip155:1'
    emit({ type: 'chainChanged', chainId: elsewhere })
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

/** A connector of a single namespace whose wallet can switch to any network. */
function createConnector(namespace: Namespace) {
  const { network, addresses } = places[namespace]
  const listeners = new Set<(event: ConnectorEvent) => void>()
  const accounts = [{ namespace, address: addresses[0], type: 'eoa' }] as const
  const connector: Connector = {
    info: { id: 'wallet.any', kind: 'announced', name: 'Any Wallet', namespaces: [namespace] },
    connect: async () => ({ accounts, chainId: network.caipNetworkId }),
    authorized: async () => undefined,
    request: async () => null,
    disconnect: async () => {},
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const emit = (event: ConnectorEvent) => {
    for (const listener of listeners) listener(event)
  }
  return { connector, emit }
}
