import { isError } from '@latchkey/wire'
import { Transaction } from '@scure/btc-signer'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Behavior,
  buildPsbt,
  createBehavior,
  createInjectedWallet,
  createSatsConnectWallet,
  createStandardWallet,
  ordinals,
  payment,
  signPsbt,
} from '../../../../test/bitcoinWallets.ts'
import { deferred } from '../../../../test/fakeWallet.ts'
import { createWindow } from '../../../../test/page.ts'
import { createBrowser, openApp, settle } from '../../../../test/tab.ts'
import { connect } from '../../../connection/connect.ts'
import { bitcoin, bitcoinTestnet, latchkeyOne } from '../../../networks.ts'
import { signMessage } from '../../../send/sign.ts'

const networks = [latchkeyOne, bitcoin] as const
const chainId = bitcoin.caipNetworkId
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

let page: EventTarget
beforeEach(() => {
  page = createWindow()
  vi.stubGlobal('window', page)
})

const protocols = [
  { protocol: 'Wallet Standard', id: 'bip122:Stone Wallet', create: createStandardWallet },
  { protocol: 'sats-connect', id: 'bip122:Stone.Provider', create: createSatsConnectWallet },
  { protocol: 'UniSat', id: 'bip122:unisat', create: createInjectedWallet },
] as const

const failure = (promise: Promise<unknown> | undefined): Promise<string> =>
  (promise ?? Promise.resolve()).then(
    () => 'resolved',
    (error: unknown) => (isError(error) ? error.code : 'a foreign error'),
  )

describe.each(protocols)('$protocol', ({ protocol, id, create }) => {
  const hasOne = protocol === 'UniSat'

  async function open(behavior: Behavior = createBehavior(), environment = {}) {
    const wallet = create(behavior)
    wallet.register(page)
    const app = openApp(environment, { networks })
    await settle()
    return { app, wallet, behavior }
  }

  async function connected(behavior?: Behavior, environment = {}) {
    const opened = await open(behavior, environment)
    const connection = await connect(opened.app, { connectorId: id })
    const request = (method: string, params: object) =>
      opened.app.connectors.get(id)?.request(chainId, method, params)
    const signInputs = [payment, ordinals].map(({ address }, index) => ({ address, index }))
    const ask = (psbt = buildPsbt()) =>
      request('signPsbt', {
        account: payment.address,
        psbt: base64(psbt.toPSBT()),
        signInputs: hasOne ? signInputs.slice(0, 1) : signInputs,
      })
    return { ...opened, connection, request, ask }
  }

  test('default: found, asked only when it is chosen, and connected by its address for payments', async () => {
    const { app, behavior } = await open()
    expect(app.store.getState().connectors.map((info) => info.id)).toEqual([id])
    expect(behavior.calls).toEqual([])
    const connection = await connect(app, { connectorId: id })
    const accounts = [
      { namespace: 'bip122', address: payment.address, type: 'payment' },
      { namespace: 'bip122', address: ordinals.address, type: 'payment', label: 'ordinals' },
    ]
    expect(connection).toMatchObject({
      chainId,
      account: accounts[0],
      accounts: hasOne ? accounts.slice(0, 1) : accounts,
    })
    app.destroy()
  })

  test('default: a message and a PSBT are signed, and the answers are verified', async () => {
    const { app, request, ask, behavior } = await connected()
    const params = { account: payment.address, message: 'Hello World' }
    expect(await request('signMessage', params)).toEqual({
      address: payment.address,
      signature: Buffer.from(payment.signature, 'base64').toString('hex'),
    })
    const answer = (await ask()) as { psbt: string }
    const signed = Transaction.fromPSBT(Buffer.from(answer.psbt, 'base64'))
    expect(signed.getInput(0).partialSig).toHaveLength(1)
    if (!hasOne) expect(signed.getInput(1).tapKeySig).toHaveLength(64)
    expect(behavior.calls.at(-2)).toContain('signMessage Hello World')
    app.destroy()
  })

  test('error: what a wallet signs in another way', async () => {
    const behavior = createBehavior()
    const { app, request, ask } = await connected(behavior)
    const params = { account: payment.address, message: 'Hello World' }
    for (const signature of [
      ordinals.signature,
      payment.signature.replace('AkcwRAIgZ', 'AkcwRAIgY'),
    ]) {
      behavior.signMessage = () => signature
      expect(await failure(request('signMessage', params))).toBe('WALLET_SIGNED_OTHER')
    }
    // There is no change output, so the fee takes the change.
    behavior.signPsbt = (_, indexes) => signPsbt(buildPsbt([150_000n, 600n]).toPSBT(), indexes)
    expect(await failure(ask())).toBe('WALLET_SIGNED_OTHER')
    behavior.signPsbt = (psbt) => psbt
    expect(await failure(ask())).toBe('WALLET_ANSWER_INVALID')
    behavior.signPsbt = () => new Uint8Array(500_000)
    expect(await failure(ask())).toBe('WALLET_ANSWER_INVALID')
    app.destroy()
  })

  test('error: what a wallet is not asked', async () => {
    const { app, request, behavior } = await connected()
    behavior.calls.length = 0
    const psbt = base64(buildPsbt().toPSBT())
    const other = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    const signInputs = [{ address: payment.address, index: 0 }]
    const account = payment.address
    const questions: [string, object, string][] = [
      ['signMessage', { account: other, message: 'Hello' }, 'UNAUTHORIZED'],
      ['signMessage', { account, message: 7 }, 'INVALID_PARAMS'],
      [
        'signMessage',
        { account: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', message: 'a' },
        'INVALID_ADDRESS',
      ],
      ['signPsbt', { account, psbt: 'cHNidP8=', signInputs }, 'INVALID_PARAMS'],
      ['signPsbt', { account, psbt: 'A'.repeat(500_000), signInputs }, 'INVALID_PARAMS'],
      // Another input than the address can sign.
      [
        'signPsbt',
        { account, psbt, signInputs: [{ ...signInputs[0], index: 1 }] },
        'INVALID_PARAMS',
      ],
      [
        'signPsbt',
        { account, psbt, signInputs: [{ ...signInputs[0], index: 9 }] },
        'INVALID_PARAMS',
      ],
      ['eth_sign', {}, 'UNSUPPORTED_METHOD'],
    ]
    for (const [method, params, code] of questions)
      expect(await failure(request(method, params)), JSON.stringify(params).slice(0, 100)).toBe(
        code,
      )
    expect(behavior.calls).toEqual([])
    app.destroy()
  })

  test('error: a refusal, an answer without addresses, and addresses of another network', async () => {
    const refusals = { 'sats-connect': { code: -32000, message: 'No' } } as Record<string, object>
    const behavior = createBehavior()
    behavior.refuse = refusals[protocol] ?? { code: 4001, message: 'No' }
    const { app } = await open(behavior)
    expect(await failure(connect(app, { connectorId: id }))).toBe('USER_REJECTED')
    delete behavior.refuse
    behavior.addresses = [{ address: 'nobody', publicKey: '' }]
    expect(await failure(connect(app, { connectorId: id }))).toBe('WALLET_ANSWER_INVALID')
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    behavior.addresses = [{ address, publicKey: '' }]
    expect(await failure(connect(app, { connectorId: id }))).toBe('NO_CHAINS_ON_CONNECTOR')
    app.destroy()
  })

  test('behavior: other accounts are followed, and a reload shows the connection again', async () => {
    const browser = createBrowser()
    const { app, wallet, behavior } = await connected(undefined, browser.openTab())
    behavior.addresses = [ordinals]
    wallet.change()
    await expect
      .poll(() => app.store.getState().connections.bip122)
      .toMatchObject({ status: 'connected', account: { address: ordinals.address } })
    app.destroy()
    behavior.calls.length = 0
    const next = openApp(browser.openTab(), { networks })
    await expect
      .poll(() => next.store.getState().connections.bip122)
      .toMatchObject({ status: 'connected', account: { address: ordinals.address } })
    expect(behavior.calls.filter((call) => call.startsWith('connect'))).toEqual([])
    next.destroy()
  })

  test('behavior: a request does not prompt to connect before the wallet has reported its accounts', async () => {
    const browser = createBrowser()
    const { app, behavior } = await connected(undefined, browser.openTab())
    app.destroy()
    behavior.calls.length = 0
    const silence = deferred<void>()
    behavior.beforeSilentAnswer = silence.promise
    const next = openApp(browser.openTab(), { networks })
    await expect.poll(() => next.connectors.has(id)).toBe(true)
    const signing = signMessage(next, { message: 'Hello World' })
    await settle()
    silence.resolve()
    expect(await signing).toBe(payment.signature)
    expect(behavior.calls.filter((call) => call.startsWith('connect'))).toEqual([])
    next.destroy()
  })
})

test('behavior: an app without a Bitcoin network looks for none of them', async () => {
  createInjectedWallet(createBehavior()).register(page)
  const app = openApp()
  await settle()
  expect(app.store.getState().connectors).toEqual([])
  app.store.setState({ networks: [latchkeyOne, bitcoinTestnet] })
  await settle()
  expect(app.store.getState().connectors).toMatchObject([{ id: 'bip122:unisat' }])
  app.destroy()
})

test('param: wallets.walletStandard and wallets.injected', async () => {
  createStandardWallet(createBehavior()).register(page)
  createInjectedWallet(createBehavior()).register(page)
  for (const [wallets, expected] of [
    [{ walletStandard: false }, ['bip122:unisat']],
    [{ injected: false }, ['bip122:Stone Wallet']],
  ] as const) {
    const app = openApp({}, { networks, wallets })
    await settle()
    expect(app.store.getState().connectors.map(({ id }) => id)).toEqual(expected)
    app.destroy()
  }
})

test('behavior: what lies or throws is passed over', async () => {
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error('gotcha')
      },
    },
  )
  Object.assign(page, {
    unisat: trap,
    okxwallet: { bitcoin: { requestAccounts: 7 } },
    btc_providers: [
      trap,
      null,
      { id: 'nowhere', name: 'Nobody' },
      { id: 'unisat', name: '\u202e' },
    ],
  })
  const app = openApp({}, { networks })
  await settle()
  expect(app.store.getState().connectors).toEqual([])
  app.destroy()
})
