import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type RunningServer, startServer } from '@latchkey/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { alice, bob, createFakeWallet, fakeConnector } from '../../../test/fakeWallet.ts'
import { createPage, userAgents } from '../../../test/page.ts'
import {
  bothChains,
  createClock,
  createPhone,
  type Phone,
  until,
  webSocket,
} from '../../../test/phone.ts'
import { createBrowser, openApp } from '../../../test/tab.ts'
import { connect } from '../../actions/connect.ts'
import { disconnect } from '../../actions/disconnect.ts'
import { walletImageUrl } from '../../actions/imageUrl.ts'
import { openLink } from '../../actions/openLink.ts'
import { reconnect } from '../../actions/reconnect.ts'
import { request as appRequest } from '../../actions/request.ts'
import { switchNetwork } from '../../actions/switchNetwork.ts'
import type { App, Config, Environment } from '../../createApp.ts'
import { dismissAlert } from '../../modal/present.ts'
import { latchkeyOne, latchkeyTwo, solana } from '../../networks.ts'
import { connectingBy } from '../../state.ts'
import type { LinkedWallet } from '../walletLinks.ts'

let server: RunningServer
const ends: (() => void)[] = []

beforeAll(async () => {
  server = await startServer({ ROLE: 'relay', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
})
afterAll(() => server.stop())
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const relayUrl = () => server.url.replace('http', 'ws')
const connectorId = 'walletConnect'

const wallet = {
  id: 'ab'.repeat(32),
  name: 'Trust',
  image_id: 'image-1',
  mobile_link: 'trust://',
  rdns: null,
} as const

/** A page of a browser with the connector over the real relay. */
function open(
  browser = createBrowser(),
  environment: Partial<Environment> = {},
  config: Partial<Config> = {},
) {
  const page = createPage()
  const app = openApp(
    { ...browser.openTab(), webSocket, page, ...environment },
    {
      enableWalletConnect: true,
      apiUrl: 'https://latchkey.example',
      walletConnect: { relayUrl: relayUrl() },
      ...config,
    },
  )
  ends.push(app.destroy)
  return { app, page, browser }
}

async function phoneOf(address = relayUrl()): Promise<Phone> {
  const phone = await createPhone(address)
  ends.push(phone.close)
  return phone
}

const uriOf = (app: App) => connectingBy(app.store.getState(), connectorId)?.uri ?? ''
const evm = (app: App) => app.store.getState().connections.eip155
const hasUri = (app: App) => until(() => uriOf(app) !== '')

async function connected(more: Parameters<typeof open>[2] = {}, environment = {}) {
  const opened = open(createBrowser(), environment, more)
  const phone = await phoneOf()
  return { ...opened, phone, ...(await join(opened.app, phone)) }
}

/** Connects an app with a phone. */
async function join(app: App, phone: Phone) {
  const connecting = connect(app, { connectorId })
  await hasUri(app)
  await phone.scan(uriOf(app))
  return { connection: await connecting }
}

const request = (app: App, method: string, params: unknown[] = [], chainId = 'eip155:31337') =>
  app.connectors.get(connectorId)?.request(chainId as 'eip155:1', method, params)

describe('connect', () => {
  test('default', async () => {
    const { app } = open()
    const phone = await phoneOf()
    const connecting = connect(app, { connectorId, wallet })
    expect(evm(app)).toEqual({ status: 'connecting', connectorId, walletId: wallet.id })
    await hasUri(app)
    expect(evm(app)).toMatchObject({ status: 'connecting', walletId: wallet.id, uri: /^wc:/ })
    await phone.scan(uriOf(app))
    const account = { namespace: 'eip155', address: alice, type: 'eoa' }
    expect(await connecting).toEqual({
      status: 'connected',
      connectorId,
      accounts: [account],
      account,
      chainId: 'eip155:31337',
      caipAddress: `eip155:31337:${alice}`,
      wallet: {
        name: 'Trust',
        walletId: wallet.id,
        iconUrl: walletImageUrl(app, 'image-1'),
      },
    })
    expect(evm(app)).toEqual(await connecting)
    expect(app.store.getState().recentWallets).toMatchObject([
      { id: connectorId, name: 'Trust', walletId: wallet.id },
    ])
    const [proposal] = phone.proposals
    expect(proposal?.requiredNamespaces).toEqual({})
    expect(proposal?.optionalNamespaces.eip155?.chains).toEqual(['eip155:31337', 'eip155:31338'])
  })

  test('param: chainId that the wallet approves becomes the network', async () => {
    const { app } = open()
    const phone = await phoneOf()
    const connecting = connect(app, { connectorId, chainId: 'eip155:31338' })
    await hasUri(app)
    await phone.scan(uriOf(app))
    expect((await connecting).chainId).toBe('eip155:31338')
    expect(app.store.getState().activeChainId).toBe('eip155:31338')
  })

  test('behavior: a wallet that nobody chose is named by itself, its icon is not fetched', async () => {
    const { connection, app } = await connected()
    expect(connection.wallet).toEqual({ name: 'Phone Wallet' })
    expect(app.store.getState().recentWallets).toEqual([{ id: connectorId, name: 'WalletConnect' }])
  })

  test('behavior: the network selected last is chosen where it is approved', async () => {
    const { app } = open()
    const phone = await phoneOf()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    const { connection } = await join(app, phone)
    expect(connection.chainId).toBe('eip155:31338')
  })

  test('behavior: another wallet takes the place of the first, whose session is ended', async () => {
    const { app, phone } = await connected()
    const second = await phoneOf()
    second.namespaces = {
      eip155: { ...bothChains.eip155, accounts: [`eip155:31337:${bob}`] } as never,
    }
    const { connection } = await join(app, second)
    expect(connection.account.address).toBe(bob)
    await until(() => phone.wallet.sessions().length === 0)
    expect(evm(app)).toMatchObject({ status: 'connected', account: { address: bob } })
  })

  test('behavior: the first wallet comes back when a second one says no', async () => {
    const { app } = await connected()
    const second = await phoneOf()
    second.namespaces = undefined
    await expect(join(app, second)).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await until(() => evm(app).status === 'connected')
    expect(evm(app)).toMatchObject({ account: { address: alice } })
  })

  test('behavior: a rejection is told at once; trying again makes another pairing', async () => {
    const { app } = open()
    const phone = await phoneOf()
    phone.namespaces = undefined
    const connecting = connect(app, { connectorId })
    await hasUri(app)
    const first = uriOf(app)
    await phone.scan(first)
    await expect(connecting).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(evm(app)).toEqual({ status: 'disconnected' })
    phone.namespaces = bothChains
    const again = connect(app, { connectorId })
    await hasUri(app)
    expect(uriOf(app)).not.toBe(first)
    await phone.scan(uriOf(app))
    expect(await again).toMatchObject({ status: 'connected' })
  })

  test('behavior: a pairing is renewed before it dies, and the old one may still be answered', async () => {
    const clock = createClock()
    const { app } = open(createBrowser(), clock)
    const phone = await phoneOf()
    phone.isPrompt = false
    const connecting = connect(app, { connectorId })
    await hasUri(app)
    const first = uriOf(app)
    await phone.scan(first)
    await until(() => phone.proposals.length === 1)
    clock.advance(240_000)
    await until(() => uriOf(app) !== first)
    await phone.decide()
    expect(await connecting).toMatchObject({ status: 'connected' })
  })

  test('error: no relay for 15 s', async () => {
    const clock = createClock()
    const { app } = open(createBrowser(), clock, {
      walletConnect: { relayUrl: 'ws://127.0.0.1:1' },
    })
    const connecting = connect(app, { connectorId })
    const outcome = expect(connecting).rejects.toMatchObject({
      code: 'RELAY_UNREACHABLE',
      message: 'The relay 127.0.0.1:1 is not reached. Check your network and try again',
    })
    const timer = setInterval(() => clock.advance(5_000), 100)
    await outcome
    clearInterval(timer)
    expect(evm(app)).toEqual({ status: 'disconnected' })
  })

  test.each([
    ['Unauthorized: invalid key', 'INVALID_PROJECT_ID'],
    ['Unauthorized: origin not allowed', 'INVALID_APP_CONFIGURATION'],
  ])('error: a relay that says "%s" is an alert, once', async (reason, code) => {
    const relay = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    relay.on('connection', (socket) => socket.close(3000, reason))
    ends.push(() => relay.close())
    await once(relay, 'listening')
    const { port } = relay.address() as AddressInfo
    const { app } = open(
      createBrowser(),
      {},
      {
        walletConnect: { relayUrl: `ws://127.0.0.1:${port}` },
      },
    )
    await expect(connect(app, { connectorId })).rejects.toMatchObject({ code })
    expect(app.store.getState().alert).toMatchObject({ code })
    dismissAlert(app)
    await expect(connect(app, { connectorId })).rejects.toMatchObject({ code })
    expect(app.store.getState().alert).toBeUndefined()
  })

  test('error: a session with nothing that the product knows', async () => {
    const { app } = open()
    const phone = await phoneOf()
    phone.namespaces = { cosmos: { accounts: ['cosmos:hub:c1'], methods: [], events: [] } }
    const connecting = connect(app, { connectorId })
    await hasUri(app)
    await phone.scan(uriOf(app))
    await expect(connecting).rejects.toMatchObject({ code: 'NO_CHAINS_ON_CONNECTOR' })
    await until(() => phone.wallet.sessions().length === 0)
  })
})

describe('leaving and coming back', () => {
  test('behavior: approved after the visitor left the view: the session stands', async () => {
    const { app } = open()
    const phone = await phoneOf()
    const controller = new AbortController()
    const connecting = connect(app, { connectorId, signal: controller.signal })
    await hasUri(app)
    const uri = uriOf(app)
    controller.abort()
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(evm(app)).toEqual({ status: 'disconnected' })
    await phone.scan(uri)
    await until(() => evm(app).status === 'connected')
  })

  test('behavior: approved after another wallet was connected: the session is ended', async () => {
    const other = fakeConnector({ id: 'a.other', wallet: createFakeWallet() })
    const { app } = open(createBrowser(), { connectors: [other] })
    const phone = await phoneOf()
    connect(app, { connectorId }).catch(() => {})
    await hasUri(app)
    const uri = uriOf(app)
    await connect(app, { connectorId: 'a.other' })
    await phone.scan(uri)
    await until(() => phone.proposals.length === 1)
    await until(() => phone.wallet.sessions().length === 0)
    expect(evm(app)).toMatchObject({ status: 'connected', connectorId: 'a.other' })
  })

  test('behavior: disconnecting while connecting withdraws the offer', async () => {
    const { app } = open()
    const phone = await phoneOf()
    const connecting = connect(app, { connectorId })
    await hasUri(app)
    const uri = uriOf(app)
    await disconnect(app)
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(app.storage.get('offeredUntilMs')).toBeUndefined()
    await phone.scan(uri).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(evm(app)).toEqual({ status: 'disconnected' })
  })

  test.each([
    ['iPhone', { userAgent: userAgents.iphone }],
    ['Telegram', { isTelegram: true }],
  ])('behavior: an attempt on %s is used again while 10 s of it are left', async (_, on) => {
    const clock = createClock()
    const { app } = open(createBrowser(), { ...clock, page: createPage(on) })
    const attempt = async () => {
      const controller = new AbortController()
      const connecting = connect(app, { connectorId, signal: controller.signal })
      await hasUri(app)
      const uri = uriOf(app)
      controller.abort()
      await connecting.catch(() => {})
      return uri
    }
    const first = await attempt()
    clock.advance(229_000)
    expect(await attempt()).toBe(first)
    clock.advance(2_000)
    expect(await attempt()).not.toBe(first)
  })

  test('behavior: elsewhere each attempt is new, until a link was opened', async () => {
    const { app } = open()
    const attempt = async (more: { wallet?: LinkedWallet } = {}) => {
      const controller = new AbortController()
      const connecting = connect(app, { connectorId, signal: controller.signal, ...more })
      await hasUri(app)
      const uri = uriOf(app)
      controller.abort()
      await connecting.catch(() => {})
      return uri
    }
    const first = await attempt()
    const second = await attempt()
    expect(second).not.toBe(first)
    openLink(app, { link: { href: 'trust://wc', base: 'trust://' }, name: 'Trust' })
    expect(await attempt({ wallet })).toBe(second)
    expect(await attempt({ wallet: { ...wallet, name: 'Other' } })).not.toBe(second)
    expect(app.storage.get('openedLink')).toBeUndefined()
  })

  test('behavior: reloaded in the middle: the approval is found', async () => {
    const { app, browser } = open()
    const phone = await phoneOf()
    connect(app, { connectorId, wallet }).catch(() => {})
    await hasUri(app)
    const uri = uriOf(app)
    openLink(app, { link: { href: 'trust://wc', base: 'trust://' }, name: 'Trust' })
    app.destroy()
    await phone.scan(uri)
    const { app: reloaded } = open(browser)
    await until(() => evm(reloaded).status === 'connected')
    expect(evm(reloaded)).toMatchObject({ wallet: { name: 'Trust', walletId: wallet.id } })
    expect(reloaded.storage.get('walletLink')).toEqual({ href: 'trust://', name: 'Trust' })
    expect(reloaded.storage.get('offeredUntilMs')).toBeUndefined()
  })

  test('behavior: a reload stands on what is stored, also without a relay', async () => {
    const { browser } = await connected()
    const { app } = open(browser, {}, { walletConnect: { relayUrl: 'ws://127.0.0.1:1' } })
    expect(evm(app)).toMatchObject({ status: 'reconnecting', connectorId })
    await until(() => evm(app).status === 'connected')
    expect(await request(app, 'eth_accounts')).toEqual([alice])
  })

  test('behavior: an answer came while nobody listened: it is told to whoever listens then', async () => {
    const { app, browser } = open()
    const phone = await phoneOf()
    connect(app, { connectorId, wallet }).catch(() => {})
    await hasUri(app)
    await phone.scan(uriOf(app))
    await until(() => evm(app).status === 'connected')
    app.destroy()
    // As a page that went away between the settlement and its adoption leaves it.
    for (const key of ['connections', 'recentWallets']) browser.entries.delete(`latchkey.${key}`)
    const { app: reloaded } = open(browser)
    reloaded.work.awaited.add(connectorId)
    await reconnect(reloaded).catch(() => {})
    await until(() => evm(reloaded).status === 'connected')
    expect(evm(reloaded)).toMatchObject({ wallet: { name: 'Trust' } })
  })

  test('behavior: two attempts at once share the pairing that is being made', async () => {
    const { app } = open()
    const phone = await phoneOf()
    const first = connect(app, { connectorId })
    const second = connect(app, { connectorId, wallet })
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' })
    await hasUri(app)
    await phone.scan(uriOf(app))
    expect(await second).toMatchObject({ wallet: { name: 'Trust' } })
  })

  test('behavior: a no to a pairing of an earlier attempt does not end this one', async () => {
    const { app } = open()
    const phone = await phoneOf()
    phone.isPrompt = false
    const controller = new AbortController()
    const first = connect(app, { connectorId, signal: controller.signal })
    await hasUri(app)
    await phone.scan(uriOf(app))
    await until(() => phone.proposals.length === 1)
    controller.abort()
    await first.catch(() => {})
    const second = connect(app, { connectorId })
    await hasUri(app)
    phone.namespaces = undefined
    await phone.decide()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(evm(app).status).toBe('connecting')
    phone.namespaces = bothChains
    phone.isPrompt = true
    await phone.scan(uriOf(app))
    expect(await second).toMatchObject({ status: 'connected' })
  })

  test('behavior: without a session nothing is loaded at the next visit', async () => {
    const { app, browser, phone } = await connected()
    await phone.wallet.disconnect(phone.topic())
    await until(() => evm(app).status === 'disconnected')
    app.destroy()
    expect(browser.entries.has('latchkey.recentWallets')).toBe(true)
    const sockets: string[] = []
    const { app: reloaded } = open(browser, {
      webSocket: class {
        constructor(url: string) {
          sockets.push(url)
        }
      } as never,
    })
    await reconnect(reloaded).catch(() => {})
    expect(evm(reloaded)).toEqual({ status: 'disconnected' })
    expect(sockets).toEqual([])
  })

  test('behavior: back from the wallet the socket is opened at once', async () => {
    const { app, page, phone } = await connected()
    page.leave()
    const event = { chainId: 'eip155:31337', name: 'chainChanged', data: '0x7a6a' }
    await phone.wallet.emit(phone.topic(), event)
    page.comeBack()
    await until(() => app.store.getState().activeChainId === 'eip155:31338')
  })

  test('behavior: disconnecting without a relay is done here at once, and says that the wallet does not know', async () => {
    const clock = createClock()
    const relay = await startServer({
      ROLE: 'relay',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
    })
    const address = relay.url.replace('http', 'ws')
    const { app, browser } = open(createBrowser(), clock, { walletConnect: { relayUrl: address } })
    await join(app, await phoneOf(address))
    await relay.stop()
    const outcome = expect(disconnect(app)).rejects.toMatchObject({ code: 'DISCONNECT_FAILED' })
    expect(evm(app)).toEqual({ status: 'disconnected' })
    const timer = setInterval(() => clock.advance(5_000), 100)
    await outcome
    clearInterval(timer)
    const { app: reloaded } = open(browser)
    expect(evm(reloaded)).toEqual({ status: 'disconnected' })
  })

  test('behavior: a session that ended while the page was away is gone', async () => {
    const { app, browser, phone } = await connected()
    app.destroy()
    await phone.wallet.disconnect(phone.topic())
    const { app: reloaded } = open(browser)
    await until(() => evm(reloaded).status === 'disconnected')
    await reconnect(reloaded).catch(() => {})
    expect(evm(reloaded)).toEqual({ status: 'disconnected' })
  })
})

describe('tabs', () => {
  test('behavior: a connection and its end reach the other tab', async () => {
    const { app, browser } = open()
    const { app: other } = open(browser)
    const phone = await phoneOf()
    await join(app, phone)
    await until(() => evm(other).status === 'connected')
    expect(evm(other)).toMatchObject({ connectorId, account: { address: alice } })
    await disconnect(other)
    await until(() => evm(app).status === 'disconnected')
    await until(() => phone.wallet.sessions().length === 0)
  })

  test('behavior: each tab gets the answers to its own requests', async () => {
    const { app, browser } = open()
    const { app: other } = open(browser)
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
    const { app, browser } = open()
    const { app: other } = open(browser)
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

  test('behavior: chainChanged to a chain nobody asked for is an unsupported network', async () => {
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
    const { app: reloaded } = open(browser)
    await until(() => evm(reloaded).status === 'connected')
    expect(evm(reloaded)).toMatchObject({ account: { address: bob } })
  })

  test('behavior: session_update takes chains away', async () => {
    const { app, phone } = await connected()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    await phone.wallet.update(phone.topic(), {
      eip155: { ...bothChains.eip155, accounts: [`eip155:31337:${bob}`] } as never,
    })
    await until(() => app.store.getState().activeChainId === 'eip155:31337')
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31337', account: { address: bob } })
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
  const so1 = `${solana.caipNetworkId}:So1`
  const networks = [latchkeyOne, latchkeyTwo, solana] as const
  const both = {
    ...bothChains,
    solana: { accounts: [so1], methods: ['solana_signMessage'], events: [] },
  }

  test('behavior: one approval connects all, and one disconnect ends all', async () => {
    const { app } = open(createBrowser(), {}, { networks })
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
    const { app } = open(createBrowser(), {}, { networks })
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
    const { app } = open(createBrowser(), {}, { networks })
    const phone = await phoneOf()
    phone.namespaces = both
    await join(app, phone)
    await phone.wallet.update(phone.topic(), bothChains)
    await until(() => app.store.getState().connections.solana.status === 'disconnected')
    expect(evm(app).status).toBe('connected')
  })

  test('behavior: the namespace that waited may be the one that was not approved', async () => {
    const { app } = open(createBrowser(), {}, { networks })
    const phone = await phoneOf()
    phone.namespaces = { solana: both.solana }
    const { connection } = await join(app, phone)
    expect(connection.caipAddress).toBe(so1)
    expect(evm(app)).toEqual({ status: 'disconnected' })
    expect(app.store.getState().activeChainId).toBe(solana.caipNetworkId)
  })
})

describe('requests', () => {
  test('behavior: inside the session to the wallet', async () => {
    const { app, phone } = await connected()
    phone.answers.personal_sign = () => ({ result: '0xsigned' })
    expect(await request(app, 'personal_sign', ['0x00', alice])).toBe('0xsigned')
    expect(phone.requests).toMatchObject([
      { method: 'personal_sign', params: ['0x00', alice], chainId: 'eip155:31337' },
    ])
  })

  test('behavior: outside the session to the public node, not to the wallet', async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(String(url))
      return Response.json({ jsonrpc: '2.0', id: 0, result: '0x10' })
    }
    const { app, phone } = await connected({}, { fetch })
    expect(await request(app, 'eth_blockNumber')).toBe('0x10')
    expect(asked).toEqual(['https://latchkey.example/v1/?chainId=eip155%3A31337&projectId=local'])
    expect(phone.requests).toEqual([])
  })

  test('error: outside the session on a network without a node', async () => {
    const { app } = await connected()
    await expect(request(app, 'eth_blockNumber', [], 'eip155:5')).rejects.toThrow(
      'No RPC url provided for chainId: eip155:5',
    )
  })

  test('error: a namespace that the app has no network of', async () => {
    const { app } = await connected()
    await expect(request(app, 'solana_signMessage', [], solana.caipNetworkId)).rejects.toThrow(
      "Namespace 'solana' is not configured. Please call connect() first with namespace config.",
    )
  })

  test.each([
    ['USER_REJECTED', { code: 4001, message: 'no' }],
    ['USER_REJECTED', { code: 5000, message: 'User rejected.' }],
    ['UNSUPPORTED_METHOD', { code: -32601, message: 'what?' }],
    ['RPC_FAILED', { code: 1, message: 'broken' }],
  ])('error: %s from %o', async (code, error) => {
    const { app, phone } = await connected()
    phone.answers.personal_sign = () => ({ error })
    await expect(request(app, 'personal_sign')).rejects.toMatchObject({ code })
  })

  test('error: no relay for 15 s before it has the request; the connection stays', async () => {
    const relay = await startServer({
      ROLE: 'relay',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
    })
    const clock = createClock()
    const address = relay.url.replace('http', 'ws')
    const { app } = open(createBrowser(), clock, { walletConnect: { relayUrl: address } })
    const phone = await phoneOf(address)
    await join(app, phone)
    await relay.stop()
    const outcome = expect(request(app, 'personal_sign')).rejects.toMatchObject({
      code: 'RELAY_UNREACHABLE',
    })
    const timer = setInterval(() => clock.advance(5_000), 100)
    await outcome
    clearInterval(timer)
    expect(evm(app)).toMatchObject({ status: 'connected' })
    expect(phone.requests).toEqual([])
  })

  test('error: before a session', async () => {
    const { app } = open()
    await expect(request(app, 'eth_accounts')).rejects.toThrow(
      'Please call connect() before request()',
    )
  })
})

describe('switching', () => {
  test('behavior: an approved chain is switched here, without the wallet', async () => {
    const { app, phone } = await connected()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31338' })
    expect(phone.requests).toEqual([])
    expect(await request(app, 'eth_chainId')).toBe('0x7a6a')
  })

  const oneChain = (methods: string[]) => ({
    eip155: { accounts: [`eip155:31337:${alice}`], methods, events: [] },
  })

  test('behavior: another chain is asked of a wallet that can switch', async () => {
    const { app } = open()
    const phone = await phoneOf()
    phone.namespaces = oneChain(['wallet_switchEthereumChain'])
    phone.answers.wallet_switchEthereumChain = () => ({ result: null })
    await join(app, phone)
    await switchNetwork(app, { chainId: 'eip155:31338' })
    expect(phone.requests).toMatchObject([
      { chainId: 'eip155:31337', params: [{ chainId: '0x7a6a' }] },
    ])
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31338', account: { address: alice } })
  })

  test('error: another chain, of a wallet that cannot switch', async () => {
    const { app } = open()
    const phone = await phoneOf()
    phone.namespaces = oneChain(['personal_sign'])
    await join(app, phone)
    await expect(switchNetwork(app, { chainId: 'eip155:31338' })).rejects.toThrow(
      "Failed to switch to chain 'eip155:31338'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
    )
    expect(evm(app)).toMatchObject({ chainId: 'eip155:31337' })
  })
})

describe('request', () => {
  test('default', async () => {
    const { app, phone } = await connected()
    phone.answers.personal_sign = ({ chainId }) => ({ result: chainId })
    expect(await appRequest(app, { method: 'personal_sign' })).toBe('eip155:31337')
    expect(await appRequest(app, { method: 'personal_sign', chainId: 'eip155:31338' })).toBe(
      'eip155:31338',
    )
  })

  test('error: not connected', async () => {
    const { app } = open()
    await expect(appRequest(app, { method: 'eth_accounts' })).rejects.toMatchObject({
      code: 'NOT_CONNECTED',
    })
  })

  test('error: a chain beyond the session, of a method that is the wallet’s', async () => {
    const { app } = await connected()
    await expect(
      appRequest(app, { method: 'personal_sign', chainId: 'eip155:5' }),
    ).rejects.toMatchObject({ code: 'CHAIN_NOT_APPROVED' })
  })
})

describe('calls (EIP-5792)', () => {
  const callMethods = {
    eip155: {
      ...bothChains.eip155,
      methods: ['wallet_sendCalls', 'wallet_getCapabilities'],
    } as never,
  }
  const hash = `0x${'ab'.repeat(32)}`
  const caip345 = { caip2: 'eip155:31337', transactionHashes: [hash] }

  async function joined(fetch?: typeof globalThis.fetch, properties: Phone['properties'] = {}) {
    const { app } = open(createBrowser(), fetch ? { fetch } : {})
    const phone = await phoneOf()
    phone.namespaces = callMethods
    phone.properties = properties
    await join(app, phone)
    return { app, phone }
  }

  test('behavior: capabilities are asked once and kept with the session', async () => {
    const { app, phone } = await joined()
    const answer = { '0x7a69': { atomic: { status: 'supported' } } }
    phone.answers.wallet_getCapabilities = () => ({ result: answer })
    expect(await request(app, 'wallet_getCapabilities', [alice])).toEqual(answer)
    expect(await request(app, 'wallet_getCapabilities', [alice])).toEqual(answer)
    expect(phone.requests).toHaveLength(1)
    await request(app, 'wallet_getCapabilities', [alice, ['0x7a69']])
    expect(phone.requests).toHaveLength(2)
    await expect(request(app, 'wallet_getCapabilities', [])).rejects.toThrow(
      'Missing address parameter in wallet_getCapabilities request',
    )
  })

  test('behavior: a batch that tells its transactions is followed on the chain', async () => {
    const { app, phone } = await joined(async () =>
      Response.json({ jsonrpc: '2.0', id: 0, result: { status: '0x1' } }),
    )
    phone.answers.wallet_sendCalls = () => ({ result: { id: 'batch', capabilities: { caip345 } } })
    await request(app, 'wallet_sendCalls', [{ calls: [{ to: '0x01', data: '0x', value: '0x0' }] }])
    expect(await request(app, 'wallet_getCallsStatus', ['batch'])).toMatchObject({
      id: 'batch',
      status: 200,
    })
  })

  test('error: calls without sense do not reach the wallet', async () => {
    const { app, phone } = await joined()
    await expect(
      request(app, 'wallet_sendCalls', [{ calls: [{ to: 'somewhere' }] }]),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect(phone.requests).toEqual([])
  })

  test('error: a status that nobody can tell', async () => {
    const { app } = await joined()
    await expect(request(app, 'wallet_getCallsStatus', ['other'])).rejects.toThrow(
      'Fetching call status not approved by the wallet.',
    )
  })

  test('behavior: the bundler that the session names is asked first', async () => {
    const asked: string[] = []
    const { app } = await joined(
      async (url) => {
        asked.push(String(url))
        const receipt = { status: '0x1' }
        return Response.json({ jsonrpc: '2.0', id: 1, result: { success: true, receipt } })
      },
      { sessionProperties: { bundler_name: 'pimlico' } },
    )
    expect(await request(app, 'wallet_getCallsStatus', ['op'])).toMatchObject({ status: 200 })
    expect(asked).toEqual([
      'https://latchkey.example/v1/bundler?projectId=local&chainId=eip155%3A31337&bundler=pimlico',
    ])
  })

  test('error: a bundler that fails', async () => {
    const { app } = await joined(async () => new Response('', { status: 502 }), {
      sessionProperties: { bundler_name: 'pimlico' },
    })
    await expect(request(app, 'wallet_getCallsStatus', ['op'])).rejects.toThrow(
      'Failed to fetch user operation receipt - 502',
    )
  })
})

describe('the wallet’s link', () => {
  async function linked(properties: Phone['properties'] = {}) {
    const { app, page } = open()
    const phone = await phoneOf()
    phone.properties = properties
    phone.answers.personal_sign = () => ({ result: '0x' })
    const connecting = connect(app, { connectorId, wallet })
    await hasUri(app)
    const uri = uriOf(app)
    openLink(app, { link: { href: `trust://wc?uri=${uri}`, base: 'trust://' }, name: 'Trust' })
    await phone.scan(uri)
    await connecting
    page.opened.splice(0)
    return { app, page, phone }
  }

  test('behavior: it brings the wallet to the front for each request', async () => {
    const { app, page, phone } = await linked()
    await request(app, 'personal_sign')
    const [{ id, topic } = { id: 0, topic: '' }] = phone.requests
    expect(page.opened.map(({ url }) => url)).toEqual([
      `trust://wc?requestId=${id}&sessionTopic=${topic}`,
    ])
  })

  test('behavior: not where the wallet does not want it', async () => {
    const { app, page } = await linked({ disableDeepLink: true })
    await request(app, 'personal_sign')
    expect(page.opened).toEqual([])
  })

  test('behavior: not after a disconnect', async () => {
    const { app } = await linked()
    expect(app.storage.get('walletLink')).toEqual({ href: 'trust://', name: 'Trust' })
    await disconnect(app)
    expect(app.storage.get('walletLink')).toBeUndefined()
  })

  test('behavior: not for a wallet that was scanned', async () => {
    const { app, page, phone } = await connected()
    phone.answers.personal_sign = () => ({ result: '0x' })
    await request(app, 'personal_sign')
    expect(page.opened).toEqual([])
  })
})
