import { describe, expect, test } from 'vitest'
import { alice, bob } from '../../../../../test/fakeWallet.ts'
import {
  connected,
  connectorId,
  evm,
  hasUri,
  join,
  openPage,
  phoneOf,
  request,
  uriOf,
  useRelay,
} from '../../../../../test/pairing.ts'
import { bothChains, until } from '../../../../../test/phone.ts'
import { createBrowser } from '../../../../../test/tab.ts'
import { createProvider } from '../../../../namespaces/eip155/createProvider.ts'
import { switchNetwork } from '../../../../network/switchNetwork.ts'
import { latchkeyOne, latchkeyTwo, solana } from '../../../../networks.ts'
import { connect } from '../../../connect.ts'
import { disconnect } from '../../../disconnect.ts'

useRelay()

describe('tabs', () => {
  test('behavior: a connection and its end reach the other tab', async () => {
    const { app, browser } = openPage()
    const { app: other } = openPage(browser)
    const phone = await phoneOf()
    await join(app, phone)
    await until(() => evm(other).status === 'connected')
    expect(evm(other)).toMatchObject({ connectorId, account: { address: alice } })
    await disconnect(other)
    await until(() => evm(app).status === 'disconnected')
    await until(() => phone.wallet.sessions().length === 0)
  })

  test('behavior: each tab gets the answers to its own requests', async () => {
    const { app, browser } = openPage()
    const { app: other } = openPage(browser)
    const phone = await phoneOf()
    phone.answers.personal_sign = ({ params }) => ({ result: (params as string[])[0] })
    await join(app, phone)
    await until(() => evm(other).status === 'connected')
    const asked = [app, other, app, other].map((tab, index) =>
      request(tab, 'personal_sign', [`0x0${index}`]),
    )
    expect(await Promise.all(asked)).toEqual(['0x00', '0x01', '0x02', '0x03'])
  })

  test('behavior: a session of one tab does not end the attempt of another', async () => {
    const { app, browser } = openPage()
    const { app: other } = openPage(browser)
    const phone = await phoneOf()
    const attempt = connect(other, { connectorId })
    await hasUri(other)
    await join(app, phone)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(evm(other).status).toBe('connecting')
    await phone.scan(uriOf(other))
    expect(await attempt).toMatchObject({ status: 'connected' })
    await until(() => phone.wallet.sessions().length === 1)
    await until(() => evm(app).status === 'connected')
  })

  test('behavior: an attempt that is given up leaves what another tab has connected meanwhile', async () => {
    const { app, browser } = openPage()
    const { app: other } = openPage(browser)
    const phone = await phoneOf()
    const controller = new AbortController()
    const attempt = connect(other, { connectorId, signal: controller.signal })
    await hasUri(other)
    await join(app, phone)
    controller.abort()
    await expect(attempt).rejects.toMatchObject({ code: 'ABORTED' })
    await until(() => evm(other).status === 'connected')
    expect(phone.wallet.sessions()).toHaveLength(1)
  })

  test('behavior: two apps of one page both have their answers and the events', async () => {
    const tab = createBrowser().openTab()
    const { app } = openPage(createBrowser(), tab)
    const phone = await phoneOf()
    phone.answers.personal_sign = ({ params }) => ({ result: (params as string[])[0] })
    await join(app, phone)
    const { app: second } = openPage(createBrowser(), tab)
    await until(() => evm(second).status === 'connected')
    const asked = [app, second, app, second].map((each, index) =>
      request(each, 'personal_sign', [`0x0${index}`]),
    )
    expect(await Promise.all(asked)).toEqual(['0x00', '0x01', '0x02', '0x03'])
    const event = { chainId: 'eip155:31337', name: 'chainChanged', data: '0x7a6a' }
    await phone.wallet.emit(phone.topic(), event)
    for (const each of [app, second])
      await until(() => each.store.getState().activeChainId === 'eip155:31338')
    await phone.wallet.disconnect(phone.topic())
    for (const each of [app, second]) await until(() => evm(each).status === 'disconnected')
  })
})

describe('the wallet changes', () => {
  test.each([
    ['a number', 31338],
    ['hex', '0x7a6a'],
    ['CAIP-2', 'eip155:31338'],
  ])('behavior: chainChanged as %s', async (_, data) => {
    const { app, phone } = await connected()
    const chainId = 'eip155:31337'
    await phone.wallet.emit(phone.topic(), { chainId, name: 'chainChanged', data })
    await until(() => app.store.getState().activeChainId === 'eip155:31338')
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31338', account: { address: alice } })
    expect(await request(app, 'eth_chainId')).toBe('0x7a6a')
  })

  test('behavior: chainChanged to a chain that the app did not request is an unsupported network', async () => {
    const { app, phone } = await connected()
    const event = { chainId: 'eip155:31337', name: 'chainChanged', data: '0x1' }
    await phone.wallet.emit(phone.topic(), event)
    await until(() => app.store.getState().unsupportedChainId === 'eip155:1')
  })

  test.each([
    ['plain', bob],
    ['CAIP-10', `eip155:31337:${bob}`],
  ])('behavior: accountsChanged, %s', async (_, data) => {
    const { app, phone, browser } = await connected()
    const event = { chainId: 'eip155:31337', name: 'accountsChanged', data: [data] }
    await phone.wallet.emit(phone.topic(), event)
    await until(() => {
      const connection = evm(app)
      return connection.status === 'connected' && connection.account.address === bob
    })
    const { app: reloaded } = openPage(browser)
    await until(() => evm(reloaded).status === 'connected')
    expect(evm(reloaded)).toMatchObject({ account: { address: bob } })
  })

  test('behavior: the app is notified of pings and of events that do not change the state', async () => {
    const { app } = openPage()
    const phone = await phoneOf()
    const { eip155 = { accounts: [], methods: [], events: [] } } = bothChains
    phone.namespaces = { eip155: { ...eip155, events: [...eip155.events, 'greeting'] } }
    await join(app, phone)
    const provider = createProvider(app)
    const told: unknown[] = []
    const note = (message: unknown) => told.push(message)
    provider.on('session_ping', note)
    provider.on('session_event', note)
    const topic = phone.topic()
    await phone.wallet.ping(topic)
    await until(() => told.length === 1)
    const event = { chainId: 'eip155:31337', name: 'greeting', data: { text: 'hello' } }
    await phone.wallet.emit(topic, event)
    await until(() => told.length === 2)
    const { chainId, ...rest } = event
    expect(told).toEqual([{ topic }, { topic, params: { chainId, event: rest } }])
    provider.removeListener('session_ping', note)
    provider.removeListener('session_event', note)
    expect(app.runtime.walletListeners.size).toBe(0)
  })

  test('behavior: session_update removes chains, and notifies the app', async () => {
    const { app, phone } = await connected()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    const told: unknown[] = []
    createProvider(app).on('session_update', (message: unknown) => told.push(message))
    const namespaces = {
      eip155: { ...bothChains.eip155, accounts: [`eip155:31337:${bob}`] } as never,
    }
    await phone.wallet.update(phone.topic(), namespaces)
    await until(() => app.store.getState().activeChainId === 'eip155:31337')
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31337', account: { address: bob } })
    expect(told).toEqual([{ topic: phone.topic(), params: { namespaces } }])
  })

  test('behavior: session_delete disconnects and forgets the wallet’s link', async () => {
    const { app, phone } = await connected()
    app.storage.set('walletLink', { href: 'trust://', name: 'Trust' })
    await phone.wallet.disconnect(phone.topic())
    await until(() => evm(app).status === 'disconnected')
    expect(app.storage.get('walletLink')).toBeUndefined()
    expect(app.storage.get('connections')).toEqual({})
    await expect(request(app, 'eth_accounts')).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
  })
})

describe('several namespaces', () => {
  const so1 = `${solana.caipNetworkId}:So11111111111111111111111111111111111111112`
  const networks = [latchkeyOne, latchkeyTwo, solana] as const
  const both = {
    ...bothChains,
    solana: { accounts: [so1], methods: ['solana_signMessage'], events: [] },
  }

  test('behavior: one approval connects all, and one disconnect ends all', async () => {
    const { app } = openPage(createBrowser(), {}, { networks })
    const phone = await phoneOf()
    phone.namespaces = both
    await join(app, phone)
    const { connections, activeChainId } = app.store.getState()
    expect(connections).toMatchObject({
      eip155: { status: 'connected', chainId: 'eip155:31337' },
      solana: { status: 'connected', caipAddress: so1 },
      bip122: { status: 'disconnected' },
    })
    expect(activeChainId).toBe('eip155:31337')
    await disconnect(app, { namespace: 'solana' })
    expect(evm(app)).toEqual({ status: 'disconnected' })
    await until(() => phone.wallet.sessions().length === 0)
  })

  test('behavior: a change in one namespace leaves the others', async () => {
    const { app } = openPage(createBrowser(), {}, { networks })
    const phone = await phoneOf()
    phone.namespaces = both
    await join(app, phone)
    const event = { chainId: 'eip155:31337', name: 'chainChanged', data: '0x7a6a' }
    await phone.wallet.emit(phone.topic(), event)
    await until(() => app.store.getState().activeChainId === 'eip155:31338')
    expect(app.store.getState().connections.solana.status).toBe('connected')
    await switchNetwork(app, { chainId: 'eip155:31337' })
    expect(app.store.getState().connections.solana.status).toBe('connected')
  })

  test('behavior: an update that drops a namespace disconnects that one', async () => {
    const { app } = openPage(createBrowser(), {}, { networks })
    const phone = await phoneOf()
    phone.namespaces = both
    await join(app, phone)
    await phone.wallet.update(phone.topic(), bothChains)
    await until(() => app.store.getState().connections.solana.status === 'disconnected')
    expect(evm(app).status).toBe('connected')
  })

  test('behavior: the namespace that waited may be the namespace that was not approved', async () => {
    const { app } = openPage(createBrowser(), {}, { networks })
    const phone = await phoneOf()
    phone.namespaces = { solana: both.solana }
    const { connection } = await join(app, phone)
    expect(connection.caipAddress).toBe(so1)
    expect(evm(app)).toEqual({ status: 'disconnected' })
    expect(app.store.getState().activeChainId).toBe(solana.caipNetworkId)
  })
})
