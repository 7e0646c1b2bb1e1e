import { decodeBase58, encodeBase58, isError } from '@latchkey/wire'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeWallet, deferred } from '../../../../test/fakeWallet.ts'
import { createWindow } from '../../../../test/page.ts'
import {
  buildTransaction,
  createKey,
  createStandardWallet,
  signBytes,
  signTransaction,
} from '../../../../test/standardWallet.ts'
import { createBrowser, openApp, settle } from '../../../../test/tab.ts'
import type { App } from '../../../app.ts'
import { getCapabilities } from '../../../capabilities.ts'
import { connect } from '../../../connection/connect.ts'
import { disconnect } from '../../../connection/disconnect.ts'
import { switchNetwork } from '../../../network/switchNetwork.ts'
import { latchkeyOne, solana, solanaDevnet } from '../../../networks.ts'
import { signMessage } from '../../../send/sign.ts'
import { isConnected } from '../../../state.ts'

const first = createKey(1)
const second = createKey(2)
const devnet = solanaDevnet.caipNetworkId
const id = 'solana:Sun Wallet'
const text = encodeBase58(new TextEncoder().encode('Hello'))
const system = new Uint8Array(32)
const transfer = buildTransaction({
  keys: [first.publicKey, second.publicKey, system],
  instructions: [{ program: 2, accounts: [0, 1], data: [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] }],
})
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

let page: EventTarget
beforeEach(() => {
  page = createWindow()
  vi.stubGlobal('window', page)
})

const networks = [latchkeyOne, solanaDevnet, solana] as const
const names = (app: App) => app.store.getState().connectors.map(({ name }) => name)

async function open(environment: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(environment, { networks })
  await settle()
  return app
}

async function connected(wallet = createStandardWallet({ keys: [first, second] })) {
  const app = await open()
  wallet.register(page)
  const connection = await connect(app, { connectorId: id })
  const request = (method: string, params: object) =>
    app.connectors.get(id)?.request(devnet, method, params)
  return { app, connection, request, ...wallet }
}

const failure = (promise: Promise<unknown> | undefined): Promise<string> =>
  (promise ?? Promise.resolve()).then(
    () => 'resolved',
    (error: unknown) => (isError(error) ? error.code : 'a foreign error'),
  )

describe('discovery', () => {
  test('default', async () => {
    const early = createStandardWallet()
    early.register(page)
    const app = await open()
    createStandardWallet({ name: 'Late' }).register(page)
    expect(app.store.getState().connectors).toEqual([
      {
        id,
        kind: 'announced',
        name: 'Sun Wallet',
        iconUrl: 'data:image/svg+xml;base64,PHN2Zy8+',
        namespaces: ['solana'],
      },
      expect.objectContaining({ name: 'Late' }),
    ])
    app.destroy()
    createStandardWallet({ name: 'Too late' }).register(page)
    expect(names(app)).toEqual(['Sun Wallet', 'Late'])
  })

  test('behavior: an app without a Solana network does not use such a wallet', async () => {
    const ready = vi.fn()
    page.addEventListener('wallet-standard:app-ready', ready)
    const app = openApp()
    await settle()
    createStandardWallet().register(page)
    expect(ready).not.toHaveBeenCalled()
    expect(names(app)).toEqual([])
    app.store.setState({ networks })
    await settle()
    expect(names(app)).toEqual(['Sun Wallet'])
    app.destroy()
  })

  test('param: wallets.walletStandard', async () => {
    createStandardWallet().register(page)
    const app = openApp({}, { networks, wallets: { walletStandard: false } })
    await settle()
    expect(names(app)).toEqual([])
    app.destroy()
  })

  test('behavior: what lies, throws, signs nothing of Solana or knows none of the networks is passed over', async () => {
    const app = await open()
    const trap = new Proxy(
      {},
      {
        get() {
          throw new Error('gotcha')
        },
      },
    )
    const wallets = [
      ...[undefined, null, 7, 'wallet', {}, trap],
      { ...createStandardWallet().wallet, features: trap },
      { ...createStandardWallet().wallet, name: '\u202e' },
      { ...createStandardWallet().wallet, chains: ['solana:testnet', 'sui:mainnet'] },
      { ...createStandardWallet().wallet, features: { 'standard:connect': { connect() {} } } },
    ]
    const register = (api: { register: (...wallets: unknown[]) => void }) =>
      api.register(...wallets)
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: 'nothing' }))
    expect(names(app)).toEqual([])
    const icon = 'https://evil.example/i.png'
    const hidden = { ...createStandardWallet().wallet, name: '\u202eSun\n Wallet\u202c', icon }
    const late = (api: { register: (wallet: unknown) => void }) => api.register(hidden)
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: late }))
    const [info] = app.store.getState().connectors
    expect(info).toMatchObject({ name: 'Sun Wallet' })
    expect(info).not.toHaveProperty('iconUrl')
    app.destroy()
  })

  test('behavior: a thousand registrations are one wallet, or fifty', async () => {
    const app = await open()
    const { wallet } = createStandardWallet()
    const flood = (make: (index: number) => unknown) => {
      const detail = (api: { register: (...wallets: unknown[]) => void }) =>
        api.register(...Array.from({ length: 1_000 }, (_, index) => make(index)))
      page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
    }
    flood(() => wallet)
    expect(names(app)).toEqual(['Sun Wallet'])
    flood((index) => ({ ...wallet, name: `Wallet ${index}` }))
    expect(names(app)).toHaveLength(50)
    app.destroy()
  })

  test('behavior: a wallet that announces itself twice is in both namespaces', async () => {
    vi.stubGlobal('ethereum', createFakeWallet())
    const app = await open()
    createStandardWallet().register(page)
    expect(names(app)).toEqual(['Browser Wallet', 'Sun Wallet'])
    const detail = { info: { name: 'Sun Wallet', rdns: 'com.sun' }, provider: createFakeWallet() }
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    expect(app.store.getState().connectors.map((each) => [each.id, each.namespaces])).toEqual([
      [id, ['solana']],
      ['com.sun', ['eip155']],
    ])
    app.destroy()
  })
})

describe('connecting', () => {
  test('default', async () => {
    const { app, connection } = await connected()
    expect(connection).toMatchObject({
      status: 'connected',
      connectorId: id,
      chainId: devnet,
      caipAddress: `${devnet}:${first.address}`,
      accounts: [{ address: first.address }, { address: second.address }],
    })
    expect(app.store.getState().activeChainId).toBe(devnet)
    app.destroy()
  })

  test('param: chainId', async () => {
    const app = await open()
    createStandardWallet().register(page)
    const chainId = solana.caipNetworkId
    expect((await connect(app, { connectorId: id, chainId })).chainId).toBe(chainId)
    app.destroy()
  })

  test('behavior: changes the network without a request to the wallet, if its account supports it', async () => {
    const keys = [first]
    const { app, calls } = await connected(
      createStandardWallet({ keys, chains: ['solana:devnet', 'solana:mainnet'] }),
    )
    calls.length = 0
    await switchNetwork(app, { chainId: solana.caipNetworkId })
    expect(app.store.getState().connections.solana).toMatchObject({
      chainId: solana.caipNetworkId,
      account: { address: first.address },
    })
    expect(app.store.getState().activeChainId).toBe(solana.caipNetworkId)
    expect(calls).toEqual([])
    app.destroy()
    page = createWindow()
    vi.stubGlobal('window', page)
    const other = await connected(createStandardWallet({ keys, chains: ['solana:devnet'] }))
    await expect(switchNetwork(other.app, { chainId: solana.caipNetworkId })).rejects.toMatchObject(
      {
        code: 'CHAIN_NOT_SUPPORTED',
      },
    )
    expect(other.app.store.getState().activeChainId).toBe(devnet)
    other.app.destroy()
  })

  test('behavior: at the next visit it reconnects silently, on the network that was chosen', async () => {
    const browser = createBrowser()
    const app = await open(browser.openTab())
    const { wallet, calls, register } = createStandardWallet()
    register(page)
    await connect(app, { connectorId: id, chainId: solana.caipNetworkId })
    app.destroy()
    calls.length = 0
    const { accounts } = wallet
    wallet.accounts = []
    wallet.features['standard:connect'] = {
      connect: async (input: unknown) => {
        calls.push({ method: 'connect', inputs: [input] })
        return { accounts }
      },
    }
    const again = await open(browser.openTab())
    await expect
      .poll(() => again.store.getState().connections.solana)
      .toMatchObject({ status: 'connected', chainId: solana.caipNetworkId })
    expect(calls.map(({ inputs }) => inputs)).toEqual([[{ silent: true }]])
    again.destroy()
  })

  test('behavior: a request before the wallet has reported its accounts at the next visit waits for them', async () => {
    const browser = createBrowser()
    const app = await open(browser.openTab())
    const { wallet, calls, register } = createStandardWallet({ keys: [first] })
    register(page)
    await connect(app, { connectorId: id })
    app.destroy()
    const { accounts } = wallet
    const said = deferred<object>()
    wallet.accounts = []
    wallet.features['standard:connect'] = { connect: () => said.promise }
    calls.length = 0
    const again = await open(browser.openTab())
    await expect.poll(() => again.connectors.has(id)).toBe(true)
    const signing = signMessage(again, { message: 'Hello' })
    const switching = switchNetwork(again, { chainId: solana.caipNetworkId })
    await settle()
    expect(again.store.getState().connections.solana.status).toBe('reconnecting')
    expect(calls).toEqual([])
    wallet.accounts = accounts
    said.resolve({ accounts })
    expect(await signing).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,}$/)
    await switching
    expect(calls.map(({ method }) => method)).toEqual(['signMessage'])
    expect(again.store.getState().activeChainId).toBe(solana.caipNetworkId)
    again.destroy()
  })

  test('behavior: a wallet that no longer allows any account is disconnected', async () => {
    const browser = createBrowser()
    const app = await open(browser.openTab())
    const { wallet, register } = createStandardWallet()
    register(page)
    await connect(app, { connectorId: id })
    app.destroy()
    wallet.accounts = []
    wallet.features['standard:connect'] = {
      connect: () => Promise.reject({ code: 4001, message: 'No' }),
    }
    const again = await open(browser.openTab())
    await expect.poll(() => again.store.getState().connections.solana.status).toBe('disconnected')
    expect(again.warnings).toEqual([])
    const asked = again.connectors
      .get(id)
      ?.request(devnet, 'solana_signMessage', { message: text, pubkey: first.address })
    expect(await failure(asked)).toBe('UNAUTHORIZED')
    again.destroy()
  })

  test('behavior: accounts change, and a flood of changes is one', async () => {
    const { app, emit, toAccount, wallet } = await connected()
    const accounts: string[] = []
    app.store.subscribe(({ connections }) => {
      const address = isConnected(connections.solana) ? connections.solana.account.address : ''
      if (accounts.at(-1) !== address) accounts.push(address)
    })
    for (let round = 0; round < 1_000; round++) {
      emit({ accounts: [toAccount(first)] })
      emit({ accounts: [toAccount(second)] })
      emit({ accounts: 'nothing' })
      emit(undefined)
      emit({ accounts: [toAccount(second)] })
    }
    await settle()
    expect(accounts).toEqual([second.address])
    emit({ accounts: [{ address: 'garbage', chains: ['solana:devnet'] }] })
    await settle()
    expect(accounts).toEqual([second.address])
    wallet.accounts = []
    emit({ accounts: [] })
    await settle()
    expect(app.store.getState().connections.solana.status).toBe('disconnected')
    app.destroy()
  })

  test('behavior: disconnecting notifies the wallet, and does not wait for a wallet that hangs', async () => {
    const { app, wallet } = await connected()
    await disconnect(app, { namespace: 'solana' })
    expect(wallet.accounts).toEqual([])
    app.destroy()
    const sleep = () => Promise.resolve()
    const other = await open({ sleep })
    const hanging = createStandardWallet()
    hanging.wallet.features['standard:disconnect'] = { disconnect: () => new Promise(() => {}) }
    hanging.register(page)
    await connect(other, { connectorId: id })
    await expect(disconnect(other, { namespace: 'solana' })).rejects.toMatchObject({
      code: 'DISCONNECT_CHAIN_FAILED',
    })
    expect(other.store.getState().connections.solana.status).toBe('disconnected')
    other.destroy()
  })

  test.each([
    ['no accounts', { accounts: [] }, 'WALLET_ANSWER_INVALID'],
    ['nothing', undefined, 'WALLET_ANSWER_INVALID'],
    [
      'accounts of another chain',
      { accounts: [{ address: '0x1', chains: ['sui:mainnet'] }] },
      'WALLET_ANSWER_INVALID',
    ],
    [
      'a malformed address',
      { accounts: [{ address: 'O0', chains: ['solana:devnet'] }] },
      'WALLET_ANSWER_INVALID',
    ],
    [
      'an address of another key',
      {
        accounts: [
          { address: first.address, publicKey: second.publicKey, chains: ['solana:devnet'] },
        ],
      },
      'WALLET_ANSWER_INVALID',
    ],
    [
      'only another network',
      { accounts: [{ address: first.address, chains: ['solana:testnet'] }] },
      'NO_CHAINS_ON_CONNECTOR',
    ],
  ])('error: a wallet that answers with %s', async (_, answer, code) => {
    const app = await open()
    const { wallet, register } = createStandardWallet()
    wallet.features['standard:connect'] = { connect: async () => answer }
    register(page)
    expect(await failure(connect(app, { connectorId: id }))).toBe(code)
    expect(app.store.getState().connections.solana.status).toBe('disconnected')
    app.destroy()
  })

  test('error: a wallet that says no, throws what is no error, or hangs until the user leaves', async () => {
    const app = await open()
    const { wallet, register } = createStandardWallet()
    register(page)
    const answer = (connectNow: () => unknown) => {
      wallet.features['standard:connect'] = { connect: connectNow }
      return connect(app, { connectorId: id })
    }
    expect(await failure(answer(() => Promise.reject({ code: 4001 })))).toBe('USER_REJECTED')
    for (const thrown of [undefined, null, 'text', 7, Symbol('s')])
      expect(
        await failure(
          answer(() => {
            throw thrown
          }),
        ),
      ).toBe('RPC_FAILED')
    const controller = new AbortController()
    wallet.features['standard:connect'] = { connect: () => new Promise(() => {}) }
    const hanging = connect(app, { connectorId: id, signal: controller.signal })
    controller.abort()
    expect(await failure(hanging)).toBe('ABORTED')
    app.destroy()
  })
})

describe('requests', () => {
  test('default', async () => {
    const { app, request, calls } = await connected()
    const pubkey = second.address
    const { signature } = (await request('solana_signMessage', { message: text, pubkey })) as {
      signature: string
    }
    expect(decodeBase58(signature)).toEqual(signBytes(second, new TextEncoder().encode('Hello')))
    const transaction = base64(transfer)
    const signed = signTransaction(transfer, first)
    const answer = { signature: encodeBase58(signed.slice(1, 65)), transaction: base64(signed) }
    const own = { transaction, pubkey: first.address }
    expect(await request('solana_signTransaction', own)).toEqual(answer)
    expect(
      await request('solana_signAllTransactions', { transactions: [transaction, transaction] }),
    ).toEqual({
      transactions: [base64(signed), base64(signed)],
    })
    expect(
      await request('solana_signAndSendTransaction', {
        ...own,
        sendOptions: { skipPreflight: true },
      }),
    ).toEqual({ signature: answer.signature })
    expect(calls.at(-1)?.inputs).toEqual([
      expect.objectContaining({ chain: 'solana:devnet', options: { skipPreflight: true } }),
    ])
    expect(await request('solana_getAccounts', {})).toEqual([
      { pubkey: first.address },
      { pubkey: second.address },
    ])
    app.destroy()
  })

  test('behavior: the methods are those that the wallet has', async () => {
    const { app, wallet } = await connected()
    const methods = () => app.connectors.get(id)?.approvedMethods?.(devnet)
    expect(methods()).toContain('solana_signAllTransactions')
    const { 'solana:signTransaction': _, ...features } = wallet.features
    wallet.features = features
    expect(methods()).toEqual(['solana_signMessage', 'solana_signAndSendTransaction'])
    expect(
      app.connectors.get(id)?.approvedMethods?.('solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'),
    ).toEqual([])
    expect(getCapabilities(app, { chainId: devnet }).receive).toBe(true)
    app.destroy()
  })

  const signMessage = { message: text, pubkey: first.address }
  const signTransfer = { transaction: base64(transfer), pubkey: first.address }
  const other = buildTransaction({
    keys: [first.publicKey, second.publicKey, system],
    instructions: [{ program: 2, accounts: [0, 1], data: [2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0] }],
  })
  const bySecond = { signature: signBytes(second, new TextEncoder().encode('Hello')) }

  test.each([
    ['another account', 'solana:signMessage', 'signMessage', [bySecond], 'WALLET_SIGNED_OTHER'],
    [
      'another text',
      'solana:signMessage',
      'signMessage',
      [{ signature: signBytes(first, new Uint8Array([1])) }],
      'WALLET_SIGNED_OTHER',
    ],
    ['no signature', 'solana:signMessage', 'signMessage', [{}], 'WALLET_ANSWER_INVALID'],
    [
      'a short signature',
      'solana:signMessage',
      'signMessage',
      [{ signature: new Uint8Array(63) }],
      'WALLET_ANSWER_INVALID',
    ],
    ['nothing', 'solana:signMessage', 'signMessage', undefined, 'WALLET_ANSWER_INVALID'],
    [
      'another transfer',
      'solana:signTransaction',
      'signTransaction',
      [{ signedTransaction: signTransaction(other, first) }],
      'WALLET_SIGNED_OTHER',
    ],
    [
      'an unsigned transaction',
      'solana:signTransaction',
      'signTransaction',
      [{ signedTransaction: transfer }],
      'WALLET_SIGNED_OTHER',
    ],
    [
      'half a transaction',
      'solana:signTransaction',
      'signTransaction',
      [{ signedTransaction: transfer.slice(0, 99) }],
      'WALLET_ANSWER_INVALID',
    ],
    [
      'a very long one',
      'solana:signTransaction',
      'signTransaction',
      [{ signedTransaction: new Uint8Array(20_000) }],
      'WALLET_ANSWER_INVALID',
    ],
    [
      'text for bytes',
      'solana:signAndSendTransaction',
      'signAndSendTransaction',
      [{ signature: 'abc' }],
      'WALLET_ANSWER_INVALID',
    ],
  ])('error: a wallet that answers with %s (%s)', async (_, feature, method, answer, code) => {
    const { app, request, wallet } = await connected()
    wallet.features[feature] = { [method]: async () => answer }
    const [params, name] =
      method === 'signMessage'
        ? [signMessage, 'solana_signMessage']
        : [signTransfer, `solana_${method}`]
    expect(await failure(request(name, params))).toBe(code)
    app.destroy()
  })

  test('error: an account that is no longer allowed, also during a request to the wallet', async () => {
    const { app, request, wallet, toAccount } = await connected()
    const answer = deferred<unknown>()
    const begun = deferred<void>()
    const ask = () => {
      begun.resolve()
      return answer.promise
    }
    wallet.features['solana:signMessage'] = { signMessage: ask }
    const asked = failure(request('solana_signMessage', signMessage))
    await begun.promise
    wallet.accounts = [toAccount(second)]
    answer.resolve([bySecond])
    expect(await asked).toBe('WALLET_SIGNED_OTHER')
    expect(await failure(request('solana_signMessage', signMessage))).toBe('UNAUTHORIZED')
    app.destroy()
  })

  test('error: what the wallet throws, lacks or cannot read', async () => {
    const { app, request, wallet } = await connected()
    wallet.features['solana:signMessage'] = {
      signMessage: () => Promise.reject(new Error('User rejected the request.')),
    }
    expect(await failure(request('solana_signMessage', signMessage))).toBe('USER_REJECTED')
    Object.defineProperty(wallet.features['solana:signMessage'], 'signMessage', {
      get() {
        throw new Error('gotcha')
      },
    })
    expect(await failure(request('solana_signMessage', signMessage))).toBe('RPC_FAILED')
    expect(await failure(request('solana_signEverything', {}))).toBe('UNSUPPORTED_METHOD')
    for (const params of [
      { ...signMessage, message: '0OIl' },
      { ...signMessage, pubkey: 'O' },
      { message: 7 },
    ])
      expect(await failure(request('solana_signMessage', params))).toBe('INVALID_PARAMS')
    for (const transaction of [undefined, '', '!', base64(transfer.slice(0, 80))])
      expect(await failure(request('solana_signTransaction', { transaction }))).toBe(
        'INVALID_PARAMS',
      )
    const foreign = buildTransaction({
      keys: [createKey(3).publicKey, second.publicKey, system],
      instructions: [{ program: 2, accounts: [0, 1], data: [1] }],
    })
    expect(await failure(request('solana_signTransaction', { transaction: base64(foreign) }))).toBe(
      'INVALID_PARAMS',
    )
    wallet.features = {}
    expect(await failure(request('solana_signTransaction', signTransfer))).toBe(
      'UNSUPPORTED_METHOD',
    )
    app.destroy()
  })
})
