import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { alice, bob, createFakeWallet, fakeConnector } from '../../../../../test/fakeWallet.ts'
import { createPage, userAgents } from '../../../../../test/page.ts'
import {
  addressOf,
  connected,
  connectorId,
  ends,
  evm,
  hasUri,
  join,
  openPage,
  phoneOf,
  request,
  startRelay,
  uriOf,
  useRelay,
  wallet,
} from '../../../../../test/pairing.ts'
import { bothChains, createClock, until } from '../../../../../test/phone.ts'
import { createBrowser } from '../../../../../test/tab.ts'
import { openLink } from '../../../../directory/openLink.ts'
import type { LinkedWallet } from '../../../../directory/walletLinks.ts'
import { dismissAlert } from '../../../../modal/showError.ts'
import { switchNetwork } from '../../../../network/switchNetwork.ts'
import { walletImageUrl } from '../../../../server/imageUrl.ts'
import { connect } from '../../../connect.ts'
import { disconnect } from '../../../disconnect.ts'
import { getPendingConnection } from '../../../getPendingConnection.ts'
import { reconnect } from '../../../reconnect.ts'

useRelay()

describe('connect', () => {
  test('default', async () => {
    const { app } = openPage()
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
        imageId: 'image-1',
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

  test('behavior: addresses in lower case are kept with their checksums, in the state and in storage', async () => {
    const { app, browser } = openPage()
    const { app: other } = openPage(browser)
    const phone = await phoneOf()
    const lower = [alice, bob].map((address) => address.toLowerCase())
    phone.namespaces = {
      eip155: {
        accounts: lower.map((address) => `eip155:31337:${address}`),
        methods: ['personal_sign'],
        events: ['accountsChanged'],
      },
    }
    await join(app, phone)
    const accounts = [alice, bob].map((address) => ({ namespace: 'eip155', address, type: 'eoa' }))
    expect(evm(app)).toMatchObject({ accounts, caipAddress: `eip155:31337:${alice}` })
    expect(app.storage.get('connections')?.eip155?.accounts).toEqual(accounts)
    await until(() => evm(other).status === 'connected')
    expect(evm(other)).toMatchObject({ accounts })
    const event = { chainId: 'eip155:31337', name: 'accountsChanged', data: [lower[1]] }
    await phone.wallet.emit(phone.topic(), event)
    await expect.poll(() => evm(app)).toMatchObject({ account: { address: bob } })
    const { app: reloaded } = openPage(browser)
    await reconnect(reloaded)
    expect(evm(reloaded)).toMatchObject({ account: { address: bob } })
  })

  test('param: chainId that the wallet approves becomes the network', async () => {
    const { app } = openPage()
    const phone = await phoneOf()
    const connecting = connect(app, { connectorId, chainId: 'eip155:31338' })
    await hasUri(app)
    await phone.scan(uriOf(app))
    expect((await connecting).chainId).toBe('eip155:31338')
    expect(app.store.getState().activeChainId).toBe('eip155:31338')
  })

  test('behavior: a wallet that the user did not choose is named by itself, and its icon is not fetched', async () => {
    const { connection, app } = await connected()
    expect(connection.wallet).toEqual({ name: 'Phone Wallet' })
    expect(app.store.getState().recentWallets).toEqual([{ id: connectorId, name: 'WalletConnect' }])
  })

  test('behavior: chooses the last selected network if it is approved', async () => {
    const { app } = openPage()
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

  test('behavior: a rejection is reported at once; trying again makes another pairing', async () => {
    const { app } = openPage()
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
    const { app } = openPage(createBrowser(), clock)
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
    const { app } = openPage(createBrowser(), clock, {
      wallets: { walletConnect: { relayUrl: 'ws://127.0.0.1:1' } },
    })
    const connecting = connect(app, { connectorId })
    const outcome = expect(connecting).rejects.toMatchObject({
      code: 'RELAY_UNREACHABLE',
      message: 'The relay 127.0.0.1:1 cannot be reached. Check your network and try again',
    })
    const timer = setInterval(() => clock.advance(5_000), 100)
    await outcome
    clearInterval(timer)
    expect(evm(app)).toEqual({ status: 'disconnected' })
  })

  test('behavior: trying again waits another 15 s for the relay, not the rest of the first 15 s', async () => {
    const clock = createClock()
    const relay = await startRelay()
    await relay.stop()
    let waits = 0
    const sleep: typeof clock.sleep = (ms, signal) => {
      if (ms === 15_000) waits += 1
      return clock.sleep(ms, signal)
    }
    const { app } = openPage(
      createBrowser(),
      { ...clock, sleep },
      { wallets: { walletConnect: { relayUrl: addressOf(relay) } } },
    )
    const leave = new AbortController()
    connect(app, { connectorId, signal: leave.signal }).catch(() => {})
    await until(() => waits === 1)
    clock.advance(14_000)
    leave.abort()
    const again = connect(app, { connectorId })
    again.catch(() => {})
    clock.advance(2_000)
    await until(() => waits === 2)
    const back = await startRelay(new URL(relay.url).port)
    ends.push(() => void back.stop())
    await hasUri(app)
  })

  test('behavior: a relay that is lost while the code is shown is reported after 15 s, and its return too', async () => {
    const clock = createClock()
    const relay = await startRelay()
    const { app } = openPage(createBrowser(), clock, {
      wallets: { walletConnect: { relayUrl: addressOf(relay) } },
    })
    const leave = new AbortController()
    const connecting = connect(app, { connectorId, signal: leave.signal })
    const outcome = expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
    await hasUri(app)
    const uri = uriOf(app)
    const problem = () => getPendingConnection(app.store.getState(), connectorId)?.error?.code
    await relay.stop()
    const timer = setInterval(() => clock.advance(1_000), 50)
    ends.push(() => clearInterval(timer))
    await until(() => problem() === 'RELAY_UNREACHABLE')
    clearInterval(timer)
    expect(uriOf(app)).toBe(uri)
    const again = await startRelay(new URL(relay.url).port)
    ends.push(() => void again.stop())
    await until(() => problem() === undefined)
    expect(uriOf(app)).toBe(uri)
    leave.abort()
    await outcome
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
    const { app } = openPage(
      createBrowser(),
      {},
      { wallets: { walletConnect: { relayUrl: `ws://127.0.0.1:${port}` } } },
    )
    await expect(connect(app, { connectorId })).rejects.toMatchObject({ code })
    expect(app.store.getState().alert).toMatchObject({ code })
    dismissAlert(app)
    await expect(connect(app, { connectorId })).rejects.toMatchObject({ code })
    expect(app.store.getState().alert).toBeUndefined()
  })

  test('error: a session with nothing that the product knows', async () => {
    const { app } = openPage()
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
    const { app } = openPage()
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

  test.each([
    ['just before', (abort: () => void) => abort()],
    ['just after', (abort: () => void) => queueMicrotask(abort)],
  ])('behavior: approved %s the visitor leaves the view: the session stands', async (_, leave) => {
    const tab = createBrowser().openTab()
    const controller = new AbortController()
    const { setItem } = tab.area
    tab.area.setItem = (key, value) => {
      setItem(key, value)
      if (key === 'latchkey.session.session') leave(() => controller.abort())
    }
    const { app } = openPage(createBrowser(), tab)
    const phone = await phoneOf()
    const connecting = connect(app, { connectorId, signal: controller.signal })
    const outcome = connecting.catch(({ code }) => code)
    await hasUri(app)
    await phone.scan(uriOf(app))
    expect(await outcome).toBe('ABORTED')
    await until(() => evm(app).status === 'connected')
    expect(phone.wallet.sessions()).toHaveLength(1)
  })

  test('behavior: the session of a pairing that was withdrawn after a reload is ended', async () => {
    const { app, browser } = openPage()
    const phone = await phoneOf()
    connect(app, { connectorId }).catch(() => {})
    await hasUri(app)
    const uri = uriOf(app)
    app.destroy()
    const clock = createClock()
    const { app: reloaded } = openPage(browser, clock)
    await reloaded.connectors.get(connectorId)?.disconnect()
    await phone.scan(uri)
    await until(() => phone.wallet.sessions().length === 1)
    const timer = setInterval(() => clock.advance(1_000), 50)
    await until(() => phone.wallet.sessions().length === 0)
    clearInterval(timer)
    expect(evm(reloaded)).toEqual({ status: 'disconnected' })
  })

  test('behavior: on a device whose clock is a day wrong a pairing is shown for its 4 minutes', async () => {
    const clock = createClock()
    clock.advance(86_400_000)
    const { app } = openPage(createBrowser(), clock)
    const phone = await phoneOf()
    const connecting = connect(app, { connectorId })
    await hasUri(app)
    const uri = uriOf(app)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(uriOf(app)).toBe(uri)
    await phone.scan(uri)
    expect(await connecting).toMatchObject({ status: 'connected' })
  })

  test('behavior: approved after another wallet was connected: the session is ended', async () => {
    const other = fakeConnector({ id: 'a.other', wallet: createFakeWallet() })
    const { app } = openPage(createBrowser(), { connectors: [other] })
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

  test('behavior: disconnecting while connecting withdraws the pairing', async () => {
    const { app } = openPage()
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
    const { app } = openPage(createBrowser(), { ...clock, page: createPage(on) })
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
    const { app } = openPage()
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

  test.each([
    ['at once', 0],
    ['after the time of the proposal, while the answer still waits', 320_000],
  ])(
    'behavior: reloaded in the middle, back %s: the approval is found, and counted once',
    async (_, awayMs) => {
      const { app, browser } = openPage()
      const phone = await phoneOf()
      connect(app, { connectorId, wallet }).catch(() => {})
      await hasUri(app)
      const uri = uriOf(app)
      openLink(app, { link: { href: 'trust://wc', base: 'trust://' }, name: 'Trust' })
      app.destroy()
      await phone.scan(uri)
      const clock = createClock()
      clock.advance(awayMs)
      const { app: reloaded } = openPage(browser, clock)
      const counted: unknown[] = []
      reloaded.runtime.analytics = Promise.resolve((one) => void counted.push(one))
      await until(() => evm(reloaded).status === 'connected')
      await until(() => counted.length > 0)
      expect(counted).toEqual([{ event: 'CONNECT_SUCCESS', properties: { method: 'qrcode' } }])
      expect(evm(reloaded)).toMatchObject({ wallet: { name: 'Trust', walletId: wallet.id } })
      expect(reloaded.storage.get('walletLink')).toEqual({ href: 'trust://', name: 'Trust' })
      expect(reloaded.storage.get('offeredUntilMs')).toBeUndefined()
    },
  )

  test('behavior: a reload works with what is stored, also without a relay', async () => {
    const { browser } = await connected()
    const { app } = openPage(
      browser,
      {},
      { wallets: { walletConnect: { relayUrl: 'ws://127.0.0.1:1' } } },
    )
    expect(evm(app)).toMatchObject({ status: 'reconnecting', connectorId })
    await until(() => evm(app).status === 'connected')
    expect(await request(app, 'eth_accounts')).toEqual([alice])
  })

  test('behavior: a response that arrived before any listener is passed to the next listener', async () => {
    const { app, browser } = openPage()
    const phone = await phoneOf()
    connect(app, { connectorId, wallet }).catch(() => {})
    await hasUri(app)
    await phone.scan(uriOf(app))
    await until(() => evm(app).status === 'connected')
    app.destroy()
    // As a page that went away between the settlement and its adoption leaves it.
    for (const key of ['connections', 'recentWallets']) browser.entries.delete(`latchkey.${key}`)
    const { app: reloaded } = openPage(browser)
    reloaded.runtime.awaited.add(connectorId)
    await reconnect(reloaded).catch(() => {})
    await until(() => evm(reloaded).status === 'connected')
    expect(evm(reloaded)).toMatchObject({ wallet: { name: 'Trust' } })
  })

  test('behavior: two attempts at once share the pairing that is being made', async () => {
    const { app } = openPage()
    const phone = await phoneOf()
    const first = connect(app, { connectorId })
    const second = connect(app, { connectorId, wallet })
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' })
    await hasUri(app)
    await phone.scan(uriOf(app))
    expect(await second).toMatchObject({ wallet: { name: 'Trust' } })
  })

  test('behavior: a no to a pairing of an earlier attempt does not end this one', async () => {
    const { app } = openPage()
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
    const { app: reloaded } = openPage(browser, {
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
    const relay = await startRelay()
    const address = addressOf(relay)
    const { app, browser } = openPage(createBrowser(), clock, {
      wallets: { walletConnect: { relayUrl: address } },
    })
    await join(app, await phoneOf(address))
    await relay.stop()
    const outcome = expect(disconnect(app)).rejects.toMatchObject({ code: 'DISCONNECT_FAILED' })
    expect(evm(app)).toEqual({ status: 'disconnected' })
    const timer = setInterval(() => clock.advance(5_000), 100)
    await outcome
    clearInterval(timer)
    const { app: reloaded } = openPage(browser)
    expect(evm(reloaded)).toEqual({ status: 'disconnected' })
  })

  test('behavior: a session that ended while the page was away is gone', async () => {
    const { app, browser, phone } = await connected()
    app.destroy()
    await phone.wallet.disconnect(phone.topic())
    const { app: reloaded } = openPage(browser)
    await until(() => evm(reloaded).status === 'disconnected')
    await reconnect(reloaded).catch(() => {})
    expect(evm(reloaded)).toEqual({ status: 'disconnected' })
  })
})
