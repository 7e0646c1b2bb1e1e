import { isError } from '@latchkey/wire'
import { encodeAddress, encodePayload, parsePayload, wrapMessage } from '@latchkey/wire/polkadot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createInjectedWallet,
  createKey,
  createPayload,
  signMessage,
} from '../../../../test/injectedWallet.ts'
import { createWindow } from '../../../../test/page.ts'
import { createBrowser, openApp, openQuietApp, settle } from '../../../../test/tab.ts'
import type { App } from '../../../app.ts'
import { getCapabilities } from '../../../capabilities.ts'
import { connect } from '../../../connection/connect.ts'
import { disconnect } from '../../../connection/disconnect.ts'
import { searchWallets } from '../../../connection/searchWallets.ts'
import { switchNetwork } from '../../../network/switchNetwork.ts'
import { kusama, latchkeyOne, polkadot } from '../../../networks.ts'
import { signMessage as signText } from '../../../send/sign.ts'
import { isConnected } from '../../../state.ts'

const first = createKey(1)
const second = createKey(2)
const id = 'polkadot:talisman'
const chainId = polkadot.caipNetworkId
const networks = [latchkeyOne, polkadot, kusama] as const
const onPolkadot = ({ publicKey }: typeof first) => encodeAddress(publicKey, 0)
const onKusama = ({ publicKey }: typeof first) => encodeAddress(publicKey, 2)

let page: EventTarget & { injectedWeb3?: unknown }
beforeEach(() => {
  page = createWindow()
  vi.stubGlobal('window', page)
})

const names = (app: App) => app.store.getState().connectors.map(({ name }) => name)
const connection = (app: App) => app.store.getState().connections.polkadot
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

async function open(environment: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(environment, { networks, metadata: { name: 'My App' } })
  await settle()
  return app
}

async function connected(wallet = createInjectedWallet({ keys: [first, second] })) {
  page.injectedWeb3 = { talisman: wallet.wallet }
  const app = await open()
  const result = await connect(app, { connectorId: id })
  const request = (params: object, method = 'polkadot_signMessage') =>
    app.connectors.get(id)?.request(chainId, method, params)
  return { app, result, request, ...wallet }
}

const failure = (promise: Promise<unknown> | undefined): Promise<string> =>
  (promise ?? Promise.resolve()).then(
    () => 'resolved',
    (error: unknown) => (isError(error) ? error.code : 'a foreign error'),
  )

const trap = new Proxy(
  {},
  {
    get() {
      throw new Error('gotcha')
    },
  },
)

describe('discovery', () => {
  test('default: no wallet receives a request before a click', async () => {
    const { wallet, calls } = createInjectedWallet()
    page.injectedWeb3 = { talisman: wallet, 'my-\u202ewallet': wallet }
    const app = await open()
    expect(app.store.getState().connectors).toEqual([
      {
        ...{ id, kind: 'injected', name: 'Talisman', namespaces: ['polkadot'] },
        iconUrl: expect.stringContaining('/getWalletImage/e11b033a-1cd7-8a46-8a24-8af33f1eed9a?'),
      },
      // Of others the first letter is shown.
      {
        id: 'polkadot:my-\u202ewallet',
        kind: 'injected',
        name: 'my-wallet',
        namespaces: ['polkadot'],
      },
    ])
    expect(calls).toEqual([])
    app.destroy()
  })

  test('behavior: finds a wallet that injects itself late, and then stops searching', async () => {
    const looks: (() => void)[] = []
    const sleep = () => new Promise<void>((resolve) => looks.push(resolve))
    const app = await open({ sleep })
    expect(names(app)).toEqual([])
    page.injectedWeb3 = { talisman: createInjectedWallet().wallet }
    while (looks.length > 0) {
      for (const resolve of looks.splice(0)) resolve()
      await settle()
    }
    expect(names(app)).toEqual(['Talisman'])
    app.destroy()
  })

  test('behavior: at a first visit the search waits until wallets are listed, at the next it does not', async () => {
    page.injectedWeb3 = { talisman: createInjectedWallet().wallet }
    const tab = createBrowser().openTab()
    const app = openQuietApp(tab, { networks })
    await settle()
    expect(names(app)).toEqual([])
    // The second call waits for the same result.
    await Promise.all([searchWallets(app), searchWallets(app)])
    expect(names(app)).toEqual(['Talisman'])
    await connect(app, { connectorId: id })
    app.destroy()
    const next = openQuietApp(tab, { networks })
    await settle()
    expect(names(next)).toEqual(['Talisman'])
    next.destroy()
  })

  test('behavior: an app without a Polkadot network does not look', async () => {
    const look = vi.fn()
    Object.defineProperty(page, 'injectedWeb3', { get: look })
    const app = openApp()
    await settle()
    expect(look).not.toHaveBeenCalled()
    app.destroy()
  })

  test('behavior: what lies, throws or floods the page is passed over', async () => {
    const { wallet } = createInjectedWallet()
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`w${at}`, wallet]))
    const throwing = {
      get trap() {
        throw new Error('gotcha')
      },
    }
    const wallets = { none: undefined, text: 'wallet', empty: {}, proxy: trap, '\u202e': wallet }
    page.injectedWeb3 = Object.defineProperties(
      { ...wallets, ...many },
      Object.getOwnPropertyDescriptors(throwing),
    )
    const app = await open()
    expect(names(app)).toHaveLength(50)
    expect(names(app)).not.toContain('proxy')
    app.destroy()
    for (const value of [null, 7, 'wallets', trap]) {
      page.injectedWeb3 = value
      const other = await open()
      expect(names(other)).toEqual([])
      other.destroy()
    }
  })
})

describe('connecting', () => {
  test('default', async () => {
    const { app, result, calls } = await connected()
    expect(result).toMatchObject({
      status: 'connected',
      chainId,
      caipAddress: `${chainId}:${onPolkadot(first)}`,
      accounts: [{ address: onPolkadot(first) }, { address: onPolkadot(second) }],
    })
    expect(calls).toEqual([{ method: 'enable', input: 'My App' }])
    expect(getCapabilities(app, { chainId })).toMatchObject({ signMessage: true, send: false })
    await switchNetwork(app, { chainId: kusama.caipNetworkId })
    expect(connection(app)).toMatchObject({
      chainId: kusama.caipNetworkId,
      caipAddress: `${kusama.caipNetworkId}:${onKusama(first)}`,
      accounts: [{ address: onKusama(first) }, { address: onKusama(second) }],
    })
    await disconnect(app, { namespace: 'polkadot' })
    expect(connection(app).status).toBe('disconnected')
    app.destroy()
  })

  test('behavior: accounts of EVM networks and of another Polkadot network are left out', async () => {
    const wallet = createInjectedWallet({ keys: [first] })
    wallet.state.accounts = [
      { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'ethereum' },
      { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      { address: second.address, genesisHash: `0x${kusama.id}${'0'.repeat(32)}` },
      { address: first.address },
      { address: onKusama(first) },
    ]
    const { app, result } = await connected(wallet)
    expect(result.accounts.map(({ address }) => address)).toEqual([onPolkadot(first)])
    app.destroy()
  })

  test('behavior: the next visit asks the wallet nothing; the first request does', async () => {
    const browser = createBrowser()
    const wallet = createInjectedWallet({ keys: [first, second] })
    page.injectedWeb3 = { talisman: wallet.wallet }
    const app = await open(browser.openTab())
    await connect(app, { connectorId: id, chainId: kusama.caipNetworkId })
    app.destroy()
    wallet.calls.length = 0
    const again = await open(browser.openTab())
    await expect
      .poll(() => connection(again))
      .toMatchObject({
        status: 'connected',
        caipAddress: `${kusama.caipNetworkId}:${onKusama(first)}`,
      })
    expect(wallet.calls).toEqual([])
    await signText(again, { message: 'Hello', namespace: 'polkadot' })
    expect(wallet.calls.map(({ method }) => method)).toEqual(['enable', 'signRaw'])
    wallet.emit([{ address: second.address }])
    await settle()
    expect(connection(again)).toMatchObject({ accounts: [{ address: onKusama(second) }] })
    await disconnect(again)
    again.destroy()
    const last = await open(browser.openTab())
    expect(connection(last).status).toBe('disconnected')
    last.destroy()
  })

  test('behavior: a saved account that the wallet no longer has signs nothing', async () => {
    const browser = createBrowser()
    const wallet = createInjectedWallet({ keys: [first, second] })
    page.injectedWeb3 = { talisman: wallet.wallet }
    const app = await open(browser.openTab())
    await connect(app, { connectorId: id })
    app.destroy()
    wallet.state.accounts = [{ address: second.address }]
    const again = await open(browser.openTab())
    await expect.poll(() => connection(again).status).toBe('connected')
    expect(await failure(signText(again, { message: 'Hello', namespace: 'polkadot' }))).toBe(
      'UNAUTHORIZED',
    )
    again.destroy()
  })

  test('behavior: accounts change, and a flood of changes is one', async () => {
    const { app, emit, listeners } = await connected()
    const accounts: string[] = []
    app.store.subscribe((state) => {
      const { polkadot: own } = state.connections
      const address = isConnected(own) ? own.account.address : ''
      if (accounts.at(-1) !== address) accounts.push(address)
    })
    for (let round = 0; round < 1_000; round++) {
      emit([{ address: first.address }])
      emit('nothing')
      emit(trap)
      emit([{ address: second.address }])
    }
    await settle()
    expect(accounts).toEqual([onPolkadot(second)])
    emit([{ address: 'garbage' }])
    await settle()
    expect(accounts).toEqual([onPolkadot(second)])
    emit([])
    await settle()
    expect(connection(app).status).toBe('disconnected')
    await app.connectors.get(id)?.disconnect()
    expect(listeners.size).toBe(0)
    app.destroy()
  })

  test.each([
    ['no accounts', [], 'UNAUTHORIZED'],
    ['only accounts of EVM networks', [{ address: '0x1', type: 'ethereum' }], 'UNAUTHORIZED'],
    ['nothing', undefined, 'WALLET_ANSWER_INVALID'],
    ['a malformed address', [{ address: `${onPolkadot(first)}1` }], 'WALLET_ANSWER_INVALID'],
    ['what throws when it is read', [trap], 'WALLET_ANSWER_INVALID'],
    [
      'only another network',
      [{ address: first.address, genesisHash: `0x${'7'.repeat(64)}` }],
      'NO_CHAINS_ON_CONNECTOR',
    ],
  ])('error: a wallet that answers with %s', async (_, accounts, code) => {
    const wallet = createInjectedWallet()
    wallet.state.accounts = accounts
    page.injectedWeb3 = { talisman: wallet.wallet }
    const app = await open()
    expect(await failure(connect(app, { connectorId: id }))).toBe(code)
    expect(connection(app).status).toBe('disconnected')
    app.destroy()
  })

  test('error: a wallet that says no, throws anything, or hangs', async () => {
    const { wallet, enabled } = createInjectedWallet()
    page.injectedWeb3 = { talisman: wallet }
    // No real time: what hangs has hung long enough at once, but for the search.
    const app = await open({ sleep: () => Promise.resolve() })
    const answer = (enable: () => Promise<unknown>) => {
      wallet.enable = enable
      return failure(connect(app, { connectorId: id }))
    }
    expect(await answer(() => Promise.reject(new Error('Rejected')))).toBe('USER_REJECTED')
    expect(
      await answer(() =>
        Promise.reject(new Error('The source x is not allowed to interact with this extension')),
      ),
    ).toBe('UNAUTHORIZED')
    for (const thrown of [undefined, null, 'text', 7, trap])
      expect(await answer(() => Promise.reject(thrown))).toBe('RPC_FAILED')
    expect(await answer(async () => undefined)).not.toBe('resolved')
    const hanging = { ...enabled, accounts: { get: () => new Promise(() => {}) } }
    expect(await answer(async () => hanging)).toBe('WALLET_UNRESPONSIVE')
    const controller = new AbortController()
    wallet.enable = () => new Promise(() => {})
    const asked = connect(app, { connectorId: id, signal: controller.signal })
    controller.abort()
    expect(await failure(asked)).toBe('ABORTED')
    expect(connection(app).status).toBe('disconnected')
    app.destroy()
  })
})

describe('requests', () => {
  const params = { address: onPolkadot(first), message: 'Hello' }
  const signed = (key: typeof first, text = 'Hello') => hex(signMessage(key, wrapMessage(text)))

  test('default', async () => {
    const { app, request, calls } = await connected()
    expect(await signText(app, { message: 'Hello', namespace: 'polkadot' })).toBe(signed(first))
    expect(calls.at(-1)).toEqual({
      method: 'signRaw',
      input: { address: first.address, data: hex(wrapMessage('Hello')), type: 'bytes' },
    })
    const other = { message: '<Bytes>Hello</Bytes>', address: onKusama(second) }
    expect(await request(other)).toEqual({ signature: signed(second) })
    app.destroy()
  })

  test('behavior: the kind that some wallets put before a signature is taken off', async () => {
    const { app, request, state } = await connected()
    state.signRaw = async () => ({ signature: `0x01${signed(first).slice(2)}` })
    expect(await request(params)).toEqual({ signature: signed(first) })
    app.destroy()
  })

  test.each([
    ['another account', { signature: signed(second) }, 'WALLET_SIGNED_OTHER'],
    ['another text', { signature: signed(first, 'Hallo') }, 'WALLET_SIGNED_OTHER'],
    [
      'the text without its wrapping',
      { signature: hex(signMessage(first, new TextEncoder().encode('Hello'))) },
      'WALLET_SIGNED_OTHER',
    ],
    ['65 bytes of nothing', { signature: `0x${'00'.repeat(65)}` }, 'WALLET_SIGNED_OTHER'],
    ['a short signature', { signature: '0x00' }, 'WALLET_ANSWER_INVALID'],
    ['a very long one', { signature: `0x${'0'.repeat(1_000_000)}` }, 'WALLET_ANSWER_INVALID'],
    ['no signature', {}, 'WALLET_ANSWER_INVALID'],
    ['nothing', undefined, 'WALLET_ANSWER_INVALID'],
    ['what throws when it is read', trap, 'WALLET_ANSWER_INVALID'],
  ])('error: a wallet that answers with %s', async (_, answer, code) => {
    const { app, request, state } = await connected()
    // A promise must not look at the answer to settle.
    state.signRaw = async () => (answer === trap ? Object.create({}, throwing) : answer)
    expect(await failure(request(params))).toBe(code)
    app.destroy()
  })

  const throwing = {
    signature: {
      get() {
        throw new Error('gotcha')
      },
    },
  }

  test('error: invalid requests, and rejections by the wallet', async () => {
    const { app, request, state, enabled } = await connected()
    expect(await failure(request(params, 'polkadot_decrypt'))).toBe('UNSUPPORTED_METHOD')
    for (const wrong of [{}, { ...params, message: 7 }, { ...params, address: 'garbage' }])
      expect(await failure(request(wrong))).toBe('INVALID_PARAMS')
    const foreign = { ...params, address: createKey(3).address }
    expect(await failure(request(foreign))).toBe('UNAUTHORIZED')
    state.signRaw = () => Promise.reject(new Error('Cancelled'))
    expect(await failure(request(params))).toBe('USER_REJECTED')
    state.accounts = [{ address: second.address }]
    expect(await failure(request(params))).toBe('UNAUTHORIZED')
    state.accounts = [{ address: first.address }]
    Object.assign(enabled, { signer: {} })
    expect(await failure(request(params))).toBe('UNSUPPORTED_METHOD')
    app.destroy()
  })

  describe('transactions', () => {
    const payload = createPayload(polkadot)
    const asked = { address: onPolkadot(first), transactionPayload: payload }
    const ask = (
      one: Awaited<ReturnType<typeof connected>>,
      transactionPayload: unknown = payload,
    ) => one.request({ ...asked, transactionPayload }, 'polkadot_signTransaction')
    const sr25519 = (key: typeof first, one = payload) =>
      hex(signMessage(key, encodePayload(parsePayload(one))))

    test('default: the signature begins with its type, and only what is known of the payload goes out', async () => {
      const one = await connected()
      one.state.signPayload = async () => ({ signature: `0x01${sr25519(first).slice(2)}` })
      const signature = `0x01${sr25519(first).slice(2)}`
      expect(await ask(one, { ...payload, withSignedTransaction: true })).toEqual({ signature })
      expect(one.calls.at(-1)).toEqual({
        method: 'signPayload',
        input: { ...payload, address: first.address },
      })
      one.state.signPayload = async () => ({ signature: sr25519(first) })
      expect(await ask(one)).toEqual({ signature })
      // More than 256 bytes are hashed first.
      const long = { ...payload, method: `0x${'00'.repeat(300)}` }
      one.state.signPayload = async () => ({ signature: sr25519(first, long) })
      expect(await ask(one, long)).toEqual({ signature: `0x01${sr25519(first, long).slice(2)}` })
      one.app.destroy()
    })

    test.each([
      ['another account', `0x01${sr25519(second).slice(2)}`],
      ['another payload', `0x01${sr25519(first, { ...payload, tip: '0x01' }).slice(2)}`],
      ['another type than it says', `0x00${sr25519(first).slice(2)}`],
      ['an invalid type', `0x07${sr25519(first).slice(2)}`],
      ['a signature of nothing', `0x02${'00'.repeat(65)}`],
    ])('error: a wallet that answers with %s', async (_, signature) => {
      const one = await connected()
      one.state.signPayload = async () => ({ signature })
      expect(await failure(ask(one))).toBe('WALLET_SIGNED_OTHER')
      one.app.destroy()
    })

    test('error: requests for another account or network, and wallets that do not support them', async () => {
      const one = await connected()
      for (const wrong of [
        { ...payload, address: onPolkadot(second) },
        { ...payload, genesisHash: createPayload(kusama).genesisHash },
        { ...payload, signedExtensions: ['CheckSomethingNew'] },
        { ...payload, assetId: '0x00' },
        null,
      ])
        expect(await failure(ask(one, wrong))).toBe('INVALID_PARAMS')
      expect(one.calls.map(({ method }) => method)).toEqual(['enable'])
      one.state.signPayload = () => Promise.reject(new Error('Cancelled'))
      expect(await failure(ask(one))).toBe('USER_REJECTED')
      Object.assign(one.enabled, { signer: {} })
      expect(await failure(ask(one))).toBe('UNSUPPORTED_METHOD')
      one.app.destroy()
    })
  })
})
