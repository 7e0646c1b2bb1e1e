import type { ChainId } from '@latchkey/wire'
import { describe, expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  deferred,
  type FakeWallet,
  fakeConnector,
  neverSleep,
  rpcError,
} from '../../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../../test/tab.ts'
import { openModal } from '../../modal/modal.ts'
import { switchNetwork } from '../../network/switchNetwork.ts'
import { latchkeyOne, solana } from '../../networks.ts'
import { signMessage } from '../../send/sign.ts'
import { listConnections } from '../../state.ts'
import { commitConnection, followSession } from '../commitConnection.ts'
import { connect } from '../connect.ts'
import type { ConnectResult } from '../connectors/connector.ts'
import { disconnect } from '../disconnect.ts'
import { request } from '../requests/request.ts'
import { switchConnection } from './switchConnection.ts'

type App = ReturnType<typeof openApp>

const prompting = ['eth_requestAccounts', 'wallet_requestPermissions', 'personal_sign']
const prompts = (...wallets: FakeWallet[]) =>
  wallets.flatMap(({ calls }) => calls.filter(({ method }) => prompting.includes(method))).length

/** A browser with two wallets: the first has alice, the second has bob. */
function twoWallets() {
  const browser = createBrowser()
  const first = createFakeWallet()
  const second = createFakeWallet()
  second.accounts = [bob]
  const connectors = [
    fakeConnector({ id: 'a.first', wallet: first }),
    fakeConnector({ id: 'a.second', wallet: second }),
  ]
  const open = () => openApp({ ...browser.openTab(), connectors })
  return { browser, first, second, connectors, open }
}

/** Both wallets connected, the second in use. */
async function bothConnected() {
  const wallets = twoWallets()
  const app = wallets.open()
  await connect(app, { connectorId: 'a.first' })
  await connect(app, { connectorId: 'a.second' })
  await settle()
  wallets.first.calls.length = 0
  wallets.second.calls.length = 0
  return { ...wallets, app }
}

/** The connectors of all connections, the one in use first. */
const ids = (app: App) =>
  listConnections(app.store.getState()).map(({ connectorId }) => connectorId)
const statuses = (app: App) => listConnections(app.store.getState()).map(({ status }) => status)
const addresses = (app: App) =>
  listConnections(app.store.getState()).map(({ account }) => account.address)
const savedIds = ({ storage }: App) =>
  storage.get('furtherConnections')?.map(({ connectorId }) => connectorId)

describe('connect', () => {
  test('default: a second wallet is put in use, and the first stays connected', async () => {
    const { app, first } = await bothConnected()
    expect(ids(app)).toEqual(['a.second', 'a.first'])
    expect(statuses(app)).toEqual(['connected', 'connected'])
    expect(savedIds(app)).toEqual(['a.first'])
    expect(await request(app, { method: 'eth_accounts' })).toEqual([bob])
    expect(first.listenerCount()).toBeGreaterThan(0)
    expect(app.storage.get('disconnected') ?? []).toEqual([])
  })

  test('behavior: a rejected second wallet changes nothing', async () => {
    const { open, second } = twoWallets()
    const app = open()
    await connect(app, { connectorId: 'a.first' })
    second.answers.eth_requestAccounts = () => Promise.reject(rpcError(4001, 'no'))
    await expect(connect(app, { connectorId: 'a.second' })).rejects.toThrow()
    await settle()
    expect(ids(app)).toEqual(['a.first'])
    expect(savedIds(app)).toBeUndefined()
  })

  test('behavior: a wallet that takes its account away while another connects does not count', async () => {
    const { open, first, second } = twoWallets()
    const app = open()
    await connect(app, { connectorId: 'a.first' })
    const late = deferred<string[]>()
    second.answers.eth_requestAccounts = () => late.promise
    const connecting = connect(app, { connectorId: 'a.second' })
    first.accounts = []
    late.resolve([bob])
    await connecting
    await settle()
    expect(listConnections(app.store.getState())).toMatchObject([
      { connectorId: 'a.second', status: 'connected' },
      { connectorId: 'a.first', status: 'reconnecting', isUnreached: true },
    ])
    await expect(switchConnection(app, { connectorId: 'a.first' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
    })
  })

  test('behavior: a rejected wallet leaves another in use if the former takes its account away', async () => {
    const { app, second } = await bothConnected()
    const third = createFakeWallet()
    third.answers.eth_requestAccounts = () => Promise.reject(rpcError(4001, 'no'))
    app.connectors.set('a.third', fakeConnector({ id: 'a.third', wallet: third }))
    const connecting = connect(app, { connectorId: 'a.third' })
    second.accounts = []
    await expect(connecting).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await settle()
    expect(ids(app)).toEqual(['a.first'])
    expect(app.storage.get('connections')?.eip155?.connectorId).toBe('a.first')
  })

  test('behavior: at most ten others stay connected', async () => {
    const browser = createBrowser()
    const all = Array.from({ length: 13 }, (_, index) => `a.wallet${index}`)
    const connectors = all.map((id) => fakeConnector({ id, wallet: createFakeWallet() }))
    const app = openApp({ ...browser.openTab(), connectors })
    for (const connectorId of all) await connect(app, { connectorId })
    await settle()
    const kept = all.slice(-11).reverse()
    expect(ids(app)).toEqual(kept)
    expect(savedIds(app)).toEqual(kept.slice(1))
    const lists: number[] = []
    app.store.subscribe(() => lists.push(ids(app).length))
    await switchConnection(app, { connectorId: 'a.wallet2' })
    await connect(app, { connectorId: 'a.wallet3' })
    await settle()
    expect(ids(app)).toEqual(['a.wallet3', 'a.wallet2', ...kept.slice(0, -2)])
    expect(savedIds(app)).toEqual(ids(app).slice(1))
    await disconnect(app, { connectorId: 'a.wallet3' })
    expect(ids(app)).toEqual(['a.wallet2', ...kept.slice(0, -2)])
    expect(Math.min(...lists)).toBe(10)
  })
})

describe('switchConnection', () => {
  test('default: puts the other wallet in use, on its network, without a prompt', async () => {
    const { app, first, second } = await bothConnected()
    first.emit('chainChanged', '0x7a6a')
    expect(app.store.getState().activeChainId).toBe('eip155:31337')
    const switching = switchConnection(app, { connectorId: 'a.first' })
    // In the click itself.
    expect(ids(app)).toEqual(['a.first', 'a.second'])
    expect(await switching).toMatchObject({ account: { address: alice } })
    expect(app.store.getState().activeChainId).toBe('eip155:31338')
    expect(savedIds(app)).toEqual(['a.second'])
    expect(prompts(first, second)).toBe(0)
    await signMessage(app, { message: 'hello' })
    expect([prompts(first), prompts(second)]).toEqual([1, 0])
    await switchNetwork(app, { chainId: 'eip155:31337' })
    expect([first.chainId, second.chainId]).toEqual(['0x7a69', '0x7a69'])
  })

  test('behavior: a request that is open stays with its wallet', async () => {
    const { app, second } = await bothConnected()
    const late = deferred<string>()
    second.answers.personal_sign = () => late.promise
    const signing = request(app, { method: 'personal_sign', params: ['0x00', bob] })
    await settle()
    await switchConnection(app, { connectorId: 'a.first' })
    late.resolve('0xbob')
    expect(await signing).toBe('0xbob')
  })

  test.each([
    { name: 'switch', choose: switchConnection },
    { name: 'connect', choose: connect },
  ])('behavior: a later $name wins over a switch whose wallet answers late', async ({ choose }) => {
    const { app, open, first } = await bothConnected()
    app.destroy()
    const late = deferred<string[]>()
    first.answers.eth_accounts = () => late.promise
    const next = open()
    await settle()
    const overtaken = switchConnection(next, { connectorId: 'a.first' })
    const aborted = expect(overtaken).rejects.toMatchObject({ code: 'ABORTED' })
    await choose(next, { connectorId: 'a.second' })
    late.resolve([alice])
    await aborted
    await settle()
    expect(ids(next)).toEqual(['a.second', 'a.first'])
  })

  test('error: a wallet that is not connected', async () => {
    const { app } = await bothConnected()
    await disconnect(app, { connectorId: 'a.first' })
    for (const connectorId of ['a.first', 'nope'])
      await expect(switchConnection(app, { connectorId })).rejects.toMatchObject({
        code: 'NOT_CONNECTED',
      })
    expect(ids(app)).toEqual(['a.second'])
  })
})

describe('events of a wallet that is not in use', () => {
  test('behavior: change only its own connection', async () => {
    const { app, first } = await bothConnected()
    const { connections, activeChainId } = app.store.getState()
    first.emit('accountsChanged', [bob, alice])
    first.emit('chainChanged', '0x1')
    expect(app.store.getState()).toMatchObject({ connections, activeChainId })
    expect(app.store.getState().unsupportedChainId).toBeUndefined()
    expect(app.store.getState().modal.open).toBe(false)
    expect(app.storage.get('furtherConnections')).toMatchObject([
      { chainId: 'eip155:1', accounts: [{ address: bob }, { address: alice }] },
    ])
    await switchConnection(app, { connectorId: 'a.first' })
    expect(app.store.getState()).toMatchObject({
      unsupportedChainId: 'eip155:1',
      modal: { history: [{ name: 'UnsupportedChain' }] },
    })
  })

  test('behavior: without an account it is disconnected, and the other stays in use', async () => {
    const { app, first } = await bothConnected()
    first.emit('accountsChanged', [])
    expect(ids(app)).toEqual(['a.second'])
    expect(savedIds(app)).toEqual([])
    expect(first.listenerCount()).toBe(0)
  })

  test('behavior: if the wallet in use goes, the other takes its place', async () => {
    const { app, second } = await bothConnected()
    second.emit('accountsChanged', [])
    expect(ids(app)).toEqual(['a.first'])
    expect(app.storage.get('connections')?.eip155?.connectorId).toBe('a.first')
    expect(savedIds(app)).toEqual([])
  })

  test('behavior: select no network, also if none is connected in the selected namespace', async () => {
    const { app, first } = await bothConnected()
    const activeChainId = solana.caipNetworkId
    app.store.setState(({ networks }) => ({ networks: [...networks, solana], activeChainId }))
    first.emit('accountsChanged', [])
    expect(ids(app)).toEqual(['a.second'])
    expect(app.store.getState().activeChainId).toBe(activeChainId)
  })

  test('behavior: a session that has lost a namespace leaves it', async () => {
    const { app } = await bothConnected()
    const evm: ConnectResult = {
      accounts: [{ namespace: 'eip155', address: alice, type: 'eoa' }],
      chainId: 'eip155:31337',
    }
    const address = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ4sGjMW1sUnHz'
    const other: ConnectResult = {
      accounts: [{ namespace: 'solana', address, type: 'eoa' }],
      chainId: solana.caipNetworkId,
    }
    const result = { ...evm, others: [other] }
    for (const connectorId of ['a.first', 'a.second'])
      commitConnection(app, { connectorId, result, origin: 'approved' })
    expect(ids(app)).toEqual(['a.second', 'a.second', 'a.first', 'a.first'])
    followSession(app, { connectorId: 'a.first', result: evm, isOwn: false })
    expect(ids(app)).toEqual(['a.second', 'a.second', 'a.first'])
    expect(savedIds(app)).toEqual(['a.first'])
  })
})

describe('events in a tab that has not yet followed a switch', () => {
  /** Two tabs with both wallets, of which the second gets no storage events. */
  async function staleTab() {
    const { app, browser, connectors, first, second } = await bothConnected()
    const { area } = browser.openTab()
    const events = new EventTarget()
    const stale = openApp({ area, events, connectors })
    await settle()
    expect(statuses(stale)).toEqual(['connected', 'connected'])
    await switchConnection(app, { connectorId: 'a.first' })
    const catchUp = async () => {
      for (const key of ['connections', 'furtherConnections'])
        events.dispatchEvent(Object.assign(new Event('storage'), { key: `latchkey.${key}` }))
      await settle()
    }
    return { app, stale, catchUp, first, second }
  }

  test('behavior: another account of the wallet in use there does not undo the switch', async () => {
    const { app, stale, catchUp, second } = await staleTab()
    second.emit('accountsChanged', [alice])
    await settle()
    expect(app.storage.get('connections')?.eip155?.connectorId).toBe('a.first')
    await catchUp()
    for (const tab of [app, stale]) {
      expect(ids(tab)).toEqual(['a.first', 'a.second'])
      expect(addresses(tab)).toEqual([alice, alice])
    }
  })

  test('behavior: a wallet in use there that leaves makes place for the chosen wallet', async () => {
    const { app, stale, second } = await staleTab()
    const third = fakeConnector({ id: 'a.third', wallet: createFakeWallet() })
    for (const tab of [app, stale]) tab.connectors.set('a.third', third)
    await connect(app, { connectorId: 'a.third' })
    second.emit('accountsChanged', [])
    await settle()
    for (const tab of [app, stale]) expect(ids(tab)).toEqual(['a.third', 'a.first'])
    expect(app.storage.get('connections')?.eip155?.connectorId).toBe('a.third')
    expect(savedIds(app)).toEqual(['a.first'])
  })
})

describe('disconnect', () => {
  test("behavior: the view of another network's account stays if the wallet in use is replaced", async () => {
    const { connectors, browser } = twoWallets()
    const networks = [latchkeyOne, solana] as const
    const app = openApp({ ...browser.openTab(), connectors }, { networks })
    await connect(app, { connectorId: 'a.first' })
    await connect(app, { connectorId: 'a.second' })
    await settle()
    const ends = async (chainId: ChainId) => {
      app.store.setState({ activeChainId: chainId })
      openModal(app, { view: { name: 'Account' } })
      await disconnect(app, { connectorId: ids(app)[0] ?? '' })
      return !app.store.getState().modal.open
    }
    expect(await ends(solana.caipNetworkId)).toBe(false)
    expect(ids(app)).toEqual(['a.first'])
    expect(await ends(latchkeyOne.caipNetworkId)).toBe(true)
  })

  test.each(['a.first', 'a.second'])('param: connectorId: %s alone', async (connectorId) => {
    const { app, open } = await bothConnected()
    const other = connectorId === 'a.first' ? 'a.second' : 'a.first'
    await disconnect(app, { connectorId })
    expect(ids(app)).toEqual([other])
    expect(app.storage.get('disconnected')).toEqual([connectorId])
    app.destroy()
    const next = open()
    await settle()
    expect(ids(next)).toEqual([other])
    expect(statuses(next)).toEqual(['connected'])
  })

  test.each([{}, { namespace: 'eip155' } as const])('param: %j: every wallet', async (meant) => {
    const { app, open } = await bothConnected()
    await disconnect(app, meant)
    expect(ids(app)).toEqual([])
    app.destroy()
    const next = open()
    await settle()
    expect(ids(next)).toEqual([])
  })
})

describe('reload', () => {
  test('default: both are connected again without a prompt, the same in use', async () => {
    const { app, open, first, second } = await bothConnected()
    app.destroy()
    const next = open()
    expect(addresses(next)).toEqual([bob, alice])
    expect(statuses(next)).toEqual(['reconnecting', 'reconnecting'])
    expect(next.store.getInitialState().furtherConnections).toEqual([])
    await settle()
    expect(addresses(next)).toEqual([bob, alice])
    expect(statuses(next)).toEqual(['connected', 'connected'])
    expect(prompts(first, second)).toBe(0)
    first.emit('accountsChanged', [bob])
    expect(addresses(next)).toEqual([bob, bob])
  })

  test('behavior: a wallet that is locked stays in the list, and can be put in use later', async () => {
    const { app, open, first } = await bothConnected()
    app.destroy()
    first.accounts = []
    const next = open()
    await settle()
    expect(listConnections(next.store.getState())).toMatchObject([
      { connectorId: 'a.second', status: 'connected' },
      { connectorId: 'a.first', status: 'reconnecting', isUnreached: true },
    ])
    expect(savedIds(next)).toEqual(['a.first'])
    first.accounts = [alice]
    await switchConnection(next, { connectorId: 'a.first' })
    expect(ids(next)).toEqual(['a.first', 'a.second'])
    expect(statuses(next)).toEqual(['connected', 'connected'])
  })

  test('behavior: the other takes the place of a wallet that allows no account', async () => {
    const { app, open, second } = await bothConnected()
    app.destroy()
    second.accounts = []
    const next = open()
    await settle()
    expect(ids(next)).toEqual(['a.first'])
    expect(savedIds(next)).toEqual([])
  })

  test('behavior: the other takes the place of a slow wallet, which stays in the list', async () => {
    const { app, browser, connectors } = await bothConnected()
    app.destroy()
    const sleep = (ms: number, signal?: AbortSignal) =>
      ms === 3_000 ? Promise.resolve() : neverSleep(ms, signal)
    const [present, slow] = connectors
    if (!present || !slow) throw new Error('missing')
    const next = openApp({ ...browser.openTab(), connectors: [present], sleep })
    await settle()
    expect(listConnections(next.store.getState())).toMatchObject([
      { connectorId: 'a.first', status: 'connected' },
      { connectorId: 'a.second', status: 'reconnecting', isUnreached: true },
    ])
    expect(savedIds(next)).toEqual(['a.second'])
    next.connectors.set('a.second', slow)
    next.store.setState({ connectors: [] })
    await settle()
    expect(addresses(next)).toEqual([alice, bob])
    expect(statuses(next)).toEqual(['connected', 'connected'])
  })

  test('behavior: a wallet that does not announce itself stays in the list, and is not put in use', async () => {
    const { app, browser, connectors } = await bothConnected()
    app.destroy()
    const sleep = (ms: number, signal?: AbortSignal) =>
      ms === 3_000 ? Promise.resolve() : neverSleep(ms, signal)
    const [missing, present] = connectors
    if (!missing || !present) throw new Error('missing')
    const next = openApp({ ...browser.openTab(), connectors: [present], sleep })
    await settle()
    expect(listConnections(next.store.getState())).toMatchObject([
      { connectorId: 'a.second', status: 'connected' },
      { connectorId: 'a.first', status: 'reconnecting', isUnreached: true },
    ])
    await expect(switchConnection(next, { connectorId: 'a.first' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
    })
    expect(ids(next)).toEqual(['a.second', 'a.first'])
    next.connectors.set('a.first', missing)
    next.store.setState({ connectors: [] })
    await settle()
    expect(statuses(next)).toEqual(['connected', 'connected'])
    await switchConnection(next, { connectorId: 'a.first' })
    expect(ids(next)).toEqual(['a.first', 'a.second'])
  })

  const one = {
    connectorId: 'a.first',
    chainId: 'eip155:31337',
    accounts: [{ namespace: 'eip155', address: alice, type: 'eoa' }],
  }
  test.each([
    ['no list', { one }, 0],
    ['a broken entry', [{ ...one, accounts: [] }, null, one], 1],
    ['an account of another namespace', [{ ...one, chainId: 'solana:x' }], 0],
    ['the same twice', [one, one], 1],
    ['the one in use', [{ ...one, connectorId: 'a.second' }], 0],
    ['too many', Array.from({ length: 40 }, (_, at) => ({ ...one, connectorId: `a.${at}` })), 10],
  ])('security: storage with %s', async (_, value, count) => {
    const { app, browser, connectors } = await bothConnected()
    app.destroy()
    browser.entries.set('latchkey.furtherConnections', JSON.stringify({ version: 1, value }))
    const next = openApp({ ...browser.openTab(), connectors, sleep: neverSleep })
    expect(next.store.getState().furtherConnections).toHaveLength(count)
    expect(next.store.getState().connections.eip155).toMatchObject({ connectorId: 'a.second' })
    await settle()
    expect(next.store.getState().connections.eip155).toMatchObject({ account: { address: bob } })
    next.destroy()
  })
})

test('behavior: another tab follows a connect, a switch and a disconnect without a prompt', async () => {
  const { open, first, second } = twoWallets()
  const one = open()
  const two = open()
  await connect(one, { connectorId: 'a.first' })
  await connect(one, { connectorId: 'a.second' })
  const asked = prompts(first, second)
  await expect.poll(() => ids(two)).toEqual(['a.second', 'a.first'])
  await expect.poll(() => statuses(two)).toEqual(['connected', 'connected'])
  await switchConnection(two, { connectorId: 'a.first' })
  await expect.poll(() => ids(one)).toEqual(['a.first', 'a.second'])
  await settle()
  expect(ids(two)).toEqual(['a.first', 'a.second'])
  await disconnect(one, { connectorId: 'a.first' })
  await expect.poll(() => ids(two)).toEqual(['a.second'])
  await settle()
  expect([ids(one), ids(two)]).toEqual([['a.second'], ['a.second']])
  await disconnect(two, { connectorId: 'a.second' })
  await expect.poll(() => ids(one)).toEqual([])
  expect(prompts(first, second)).toBe(asked)
})
