import {
  type Bitcoin,
  type Chains,
  type Solana,
  startBitcoin,
  startChains,
  startSolana,
} from '@latchkey/dev'
import { LatchkeyError, type Namespace } from '@latchkey/wire'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as bitcoinWallets from '../../test/bitcoinWallets.ts'
import { createChainWallet } from '../../test/chainWallet.ts'
import { fakeConnector } from '../../test/fakeWallet.ts'
import * as injected from '../../test/injectedWallet.ts'
import { createWindow } from '../../test/page.ts'
import { places } from '../../test/pageWallets.ts'
import { rpc } from '../../test/rpc.ts'
import * as standard from '../../test/standardWallet.ts'
import { openApp, settle } from '../../test/tab.ts'
import { getNativeBalance } from '../account/getNativeBalance.ts'
import type { App } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { request } from '../connection/requests/request.ts'
import type { View } from '../modal/views.ts'
import {
  latchkeyBitcoin,
  latchkeyOne,
  latchkeySolana,
  type Network,
  polkadot,
} from '../networks.ts'
import { getMaxAmount, prepareSend } from '../send/prepareSend.ts'
import { send } from '../send/send.ts'
import { setSendDraft } from '../send/setSendDraft.ts'
import { signMessage } from '../send/sign.ts'
import { isConnected } from '../state.ts'

// Hostile input in the app as a whole, with real chains and with wallets of the published
// interfaces. Each time the error names the problem, the form keeps its values, and nothing is
// signed or sent.

let evm: Chains
let solana: Solana
let bitcoin: Bitcoin
beforeAll(async () => {
  ;[evm, solana, bitcoin] = await Promise.all([startChains(), startSolana(), startBitcoin()])
  const sun = standard.createKey(1).address
  await rpc(solana.url, 'requestAirdrop', [sun, 5_000_000_000])
  const body = JSON.stringify({ address: stone.address, value: 50_000_000 })
  await fetch(`${bitcoin.url}/faucet`, { method: 'POST', body })
  bitcoin.mine()
})
afterAll(() => Promise.all([evm, solana, bitcoin].map((chain) => chain?.stop())))

let page: EventTarget & { injectedWeb3?: unknown }
beforeEach(() => {
  page = createWindow()
  vi.stubGlobal('window', page)
})

const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const publicKey = Buffer.from(bitcoinWallets.payment.publicKey, 'hex')
const stone = { address: p2wpkh(publicKey, regtest).address ?? '', publicKey: '' }

/**
 * A connected app, the signing requests that its wallet received, and the transactions that its
 * node received.
 */
type Opened = { app: App; signed: string[]; sent: string[] }

/** Changes a request to the node, or its response. */
type Lie = (url: string, body: string, answer: string) => string

const sendingMethods = /eth_sendRawTransaction|"sendTransaction"|\/tx$/

async function open(
  network: Network,
  parameters: { id: string; lie?: Lie } & Partial<Parameters<typeof openApp>[0]>,
) {
  const sent: string[] = []
  const { id, lie, ...environment } = parameters
  const app = openApp(
    {
      ...environment,
      async fetch(input, init) {
        const [url, body] = [String(input), String(init?.body ?? '')]
        if (sendingMethods.test(init?.method === 'POST' ? url + body : '')) sent.push(body)
        const response = await fetch(input, init)
        if (!lie) return response
        const { status, headers } = response
        return new Response(lie(url, body, await response.text()), { status, headers })
      },
    },
    { networks: [network], rpcUrls: urls() },
  )
  await settle()
  await connect(app, { connectorId: id })
  return { app, sent }
}

const urls = () => ({
  ...evm.urls,
  [latchkeySolana.caipNetworkId]: solana.url,
  [latchkeyBitcoin.caipNetworkId]: bitcoin.url,
})

const openers: Readonly<Record<'eip155' | 'solana' | 'bip122', (lie?: Lie) => Promise<Opened>>> = {
  async eip155(lie) {
    const wallet = createChainWallet(evm.urls['eip155:31337'])
    const connectors = [fakeConnector({ id: 'com.earth', wallet })]
    const opened = await open(latchkeyOne, { id: 'com.earth', connectors, ...(lie && { lie }) })
    wallet.calls.length = 0
    const signed: string[] = []
    const { request } = wallet
    Object.assign(wallet, {
      request: (asked: { method: string }) => {
        if (/[sS]ign|sendTransaction/.test(asked.method)) signed.push(asked.method)
        return request(asked)
      },
    })
    return { ...opened, signed }
  },
  async solana(lie) {
    const wallet = standard.createStandardWallet()
    wallet.register(page)
    const opened = await open(latchkeySolana, { id: 'solana:Sun Wallet', ...(lie && { lie }) })
    const signed: string[] = []
    wallet.calls.length = 0
    wallet.calls.push = (...calls) => signed.push(...calls.map(({ method }) => method))
    return { ...opened, signed }
  },
  async bip122(lie) {
    const behavior = bitcoinWallets.createBehavior()
    behavior.addresses = [stone]
    bitcoinWallets.createInjectedWallet(behavior).register(page)
    const opened = await open(latchkeyBitcoin, { id: 'bip122:unisat', ...(lie && { lie }) })
    const signed: string[] = []
    behavior.calls.push = (...calls) => signed.push(...calls)
    return { ...opened, signed }
  },
}

const getToken = (app: App) => {
  const [network] = app.store.getState().networks
  const { symbol, decimals } = network.nativeCurrency
  return { symbol, decimals }
}

/** An address of each namespace, and on Bitcoin of each network. */
const foreign = {
  eip155: places.eip155.addresses[1],
  solana: places.solana.addresses[1],
  polkadot: places.polkadot.addresses[1],
  bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  legacyBitcoin: '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs',
  testnet: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  regtest: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
}

const invalidAddress = 'INVALID_ADDRESS: Invalid address'
const noInput = 'INVALID_SEND_INPUT: Please enter a valid amount and receiver address'

type Case = [what: string, to: string, amount: string, error: string]

const tables: Readonly<Record<keyof typeof openers, readonly Case[]>> = {
  eip155: [
    ['an address of Solana', foreign.solana, '0.1', invalidAddress],
    ['an address of Polkadot', foreign.polkadot, '0.1', invalidAddress],
    ['an address of Bitcoin', foreign.bitcoin, '0.1', invalidAddress],
    ['an older address of Bitcoin', foreign.legacyBitcoin, '0.1', invalidAddress],
    ['a checksum that is wrong', foreign.eip155.replace('C51', 'c51'), '0.1', invalidAddress],
    ['an account with its chain', `eip155:31337:${foreign.eip155}`, '0.1', invalidAddress],
    ['no amount', foreign.eip155, '', noInput],
    ['nothing', foreign.eip155, '0', noInput],
    ['less than the smallest unit', foreign.eip155, '0.0000000000000000001', noInput],
    ['more than there is', foreign.eip155, '9999999', 'INSUFFICIENT_FUNDS: Insufficient funds'],
    [
      'all there is, which leaves nothing for the fee',
      foreign.eip155,
      '10000',
      'INSUFFICIENT_FUNDS: Insufficient funds',
    ],
  ],
  solana: [
    ['an EVM address', foreign.eip155, '0.1', invalidAddress],
    ['an address of Polkadot', foreign.polkadot, '0.1', invalidAddress],
    ['an address of Bitcoin', foreign.bitcoin, '0.1', invalidAddress],
    ['an older address of Bitcoin', foreign.legacyBitcoin, '0.1', invalidAddress],
    ['two letters too few', foreign.solana.slice(2), '0.1', invalidAddress],
    [
      'an address that no key has',
      foreign.solana.slice(1),
      '0.1',
      'TRANSFER_REFUSED: This address belongs to a program, not to a wallet',
    ],
    ['an account with its chain', `solana:x:${foreign.solana}`, '0.1', invalidAddress],
    ['no amount', foreign.solana, '', noInput],
    ['less than the smallest unit', foreign.solana, '0.0000000001', noInput],
    [
      'dust: less than an account has to hold',
      foreign.solana,
      '0.0001',
      'TRANSFER_REFUSED: This receiver takes 0.00089088 SOL or more',
    ],
    [
      'what leaves dust behind',
      foreign.solana,
      '4.9999',
      'TRANSFER_REFUSED: At least 0.00089088 SOL has to stay in the account',
    ],
    ['more than there is', foreign.solana, '5.1', 'INSUFFICIENT_FUNDS: Insufficient funds'],
    [
      'all there is, which leaves nothing for the fee',
      foreign.solana,
      '5',
      'INSUFFICIENT_FUNDS: Insufficient funds',
    ],
  ],
  bip122: [
    ['an EVM address', foreign.eip155, '0.1', invalidAddress],
    ['an address of Solana', foreign.solana, '0.1', invalidAddress],
    ['an address of Polkadot', foreign.polkadot, '0.1', invalidAddress],
    ['an address of another network', foreign.bitcoin, '0.1', invalidAddress],
    ['an address of a test network', foreign.testnet, '0.1', invalidAddress],
    ['an older address of another network', foreign.legacyBitcoin, '0.1', invalidAddress],
    ['a checksum that is wrong', foreign.regtest.replace(/0$/, '8'), '0.1', invalidAddress],
    ['no amount', foreign.regtest, '', noInput],
    ['less than the smallest unit', foreign.regtest, '0.000000001', noInput],
    [
      'dust',
      foreign.regtest,
      '0.00000293',
      'AMOUNT_IS_DUST: The network refuses amounts below 0.00000294 BTC',
    ],
    ['more than there is', foreign.regtest, '0.6', 'INSUFFICIENT_FUNDS: Insufficient funds'],
    [
      'all there is, which leaves nothing for the fee',
      foreign.regtest,
      '0.5',
      'INSUFFICIENT_FUNDS: Insufficient funds',
    ],
  ],
}

/** A node that claims to serve another network: the mainnet of each namespace. */
const mainnetNode: Lie = (url, body, answer) => {
  if (url.endsWith('/block-height/0'))
    return '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
  const calls = body.startsWith('[') || body.startsWith('{') ? [JSON.parse(body)].flat() : []
  const lies: Record<string, string> = {
    eth_chainId: '0x1',
    getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  }
  if (!calls.some(({ method }) => method in lies)) return answer
  const answers = [JSON.parse(answer)].flat()
  const changed = answers.map((each) => {
    const { method } = calls.find(({ id }) => id === each.id)
    return method in lies ? { ...each, result: lies[method] } : each
  })
  return JSON.stringify(changed.length === 1 ? changed[0] : changed)
}

const toLine = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error) => (error instanceof LatchkeyError ? `${error.code}: ${error.message}` : String(error)),
  )

describe.each(Object.keys(openers) as (keyof typeof openers)[])('%s', (namespace) => {
  test.each(tables[namespace])('error: sending to or of %s', async (_, to, amount, error) => {
    const { app, signed, sent } = await openers[namespace]()
    const draft = { amount, receiverAddress: to }
    setSendDraft(app, draft)
    const payment = { to, amount, token: getToken(app) }
    expect(await toLine(prepareSend(app, payment))).toBe(error)
    // Sending without a review throws the same error.
    expect(await toLine(send(app, payment))).toBe(error)
    expect(app.store.getState().sendDraft).toMatchObject(draft)
    expect([signed, sent]).toEqual([[], []])
    app.destroy()
  })

  test('error: a custom node that lies about its network receives no other requests', async () => {
    const { app, signed, sent } = await openers[namespace](mainnetNode)
    const [network] = app.store.getState().networks
    const error = `RPC_CHAIN_WRONG: The RPC url of ${network.name} belongs to another network`
    const token = getToken(app)
    const { to, amount } = {
      to: foreign[namespace === 'bip122' ? 'regtest' : namespace],
      amount: '0.1',
    }
    setSendDraft(app, { amount, receiverAddress: to })
    const { connections } = app.store.getState()
    const connection = connections[namespace]
    const { address } = isConnected(connection) ? connection.account : { address: '' }
    const chainId = network.caipNetworkId
    for (const asked of [
      () => getNativeBalance(app, { address, chainId }),
      () => getMaxAmount(app, { token }),
      () => prepareSend(app, { to, amount, token }),
      () => send(app, { to, amount, token }),
    ])
      expect(await toLine(asked())).toBe(error)
    expect(app.store.getState().sendDraft).toMatchObject({ amount, receiverAddress: to })
    expect([signed, sent]).toEqual([[], []])
    app.destroy()
  })

  test('behavior: an honest node is checked for its network once', async () => {
    let asked = 0
    const { app } = await openers[namespace]((url, body, answer) => {
      if (/block-height\/0$/.test(url) || /"eth_chainId"|"getGenesisHash"/.test(body)) asked += 1
      return answer
    })
    const to = foreign[namespace === 'bip122' ? 'regtest' : namespace]
    await getMaxAmount(app, { token: getToken(app), to })
    const afterFirst = asked
    await getMaxAmount(app, { token: getToken(app), to })
    // A transfer on Solana checks each time, also on our server.
    expect([afterFirst, asked]).toEqual(namespace === 'solana' ? [2, 3] : [1, 1])
    app.destroy()
  })
})

describe('solana', () => {
  test('error: a block hash that expires while the wallet is open: said, and the same plan is sent again', async () => {
    const wallet = standard.createStandardWallet()
    // It only signs, so our node sends.
    delete wallet.wallet.features['solana:signAndSendTransaction']
    wallet.register(page)
    const sign = wallet.wallet.features['solana:signTransaction'] as Record<
      string,
      (...inputs: unknown[]) => Promise<unknown>
    >
    const { signTransaction } = sign
    let isSlow = true
    sign.signTransaction = async (...inputs) => {
      if (isSlow) solana.skipSlots(151)
      return signTransaction?.(...inputs)
    }
    const { app } = await open(latchkeySolana, { id: 'solana:Sun Wallet', sleep: async () => {} })
    const draft = { amount: '0.01', receiverAddress: foreign.solana }
    setSendDraft(app, draft)
    const plan = await prepareSend(app, {
      to: foreign.solana,
      amount: '0.01',
      token: getToken(app),
    })
    expect(await toLine(send(app, { plan }))).toBe(
      'TRANSACTION_EXPIRED: The network did not accept the transaction in time. Nothing was sent. Try again',
    )
    expect(app.store.getState().sendDraft).toMatchObject(draft)
    expect(await rpc(solana.url, 'getBalance', [foreign.solana])).toMatchObject({ value: 0 })
    isSlow = false
    await send(app, { plan })
    expect(await rpc(solana.url, 'getBalance', [foreign.solana])).toMatchObject({
      value: 10_000_000,
    })
    app.destroy()
  })
})

describe('bip122: a PSBT of the page', () => {
  async function connected() {
    const opened = await openers.bip122()
    const { app } = opened
    const spent = { script: p2wpkh(publicKey, regtest).script, amount: 100_000n }
    const build = (outputs: readonly [address: string, amount: bigint][]) => {
      const psbt = new Transaction()
      psbt.addInput({ txid: 'ab'.repeat(32), index: 0, witnessUtxo: spent })
      for (const [address, amount] of outputs) psbt.addOutputAddress(address, amount, regtest)
      return Buffer.from(psbt.toPSBT()).toString('base64')
    }
    const ask = (psbt: unknown) => {
      const signInputs = [{ address: stone.address, index: 0 }]
      return request(app, {
        method: 'signPsbt',
        params: { account: stone.address, psbt, signInputs },
      })
    }
    return { ...opened, build, ask }
  }
  const isShown = (app: App) =>
    app.store.getState().modal.history.some(({ name }) => name === 'ReviewTransaction')

  test.each<[string, unknown, string]>([
    ['cut off', 'cHNidP8=', 'The bytes end too early'],
    ['not one', 'bm8gUFNCVA==', 'Not a PSBT'],
    ['no base64', '~~~', 'Neither base64 nor hex'],
    ['no text', { psbt: 7 }, 'Not a string'],
    ['oversized', 'A'.repeat(400_001), 'Longer than 400,000 characters'],
  ])('error: %s: refused by name, and never shown', async (_, psbt, reason) => {
    const { app, ask, signed } = await connected()
    expect(await toLine(ask(psbt))).toBe(
      `INVALID_PARAMS: A parameter is not valid: psbt (${reason})`,
    )
    expect(isShown(app)).toBe(false)
    expect(signed).toEqual([])
    app.destroy()
  })

  test.each<[string, [string, bigint][], string[]]>([
    ['gives away the change', [[foreign.regtest, 98_000n]], ['nothingBack']],
    [
      'gives the change to another',
      [
        [foreign.regtest, 20_000n],
        [bitcoinAddress(7), 78_000n],
      ],
      ['nothingBack'],
    ],
    ['leaves the change to the miner', [[foreign.regtest, 20_000n]], ['nothingBack', 'feeHigh']],
  ])('error: one that %s says so before the wallet is asked', async (_, outputs, dangers) => {
    const { app, ask, build, signed } = await connected()
    const asked = toLine(ask(build(outputs)))
    const top = () => app.store.getState().modal.history.at(-1)
    await expect.poll(() => top()?.name).toBe('ReviewTransaction')
    const review = await (top() as Extract<View, { name: 'ReviewTransaction' }>).reading
    expect(review).toMatchObject({ dangers: expect.arrayContaining(dangers), leaves: 100_000n })
    app.store.setState(({ modal }) => ({ modal: { ...modal, open: false, history: [] } }))
    expect(await asked).toBe('USER_REJECTED: User rejected the request')
    expect(signed).toEqual([])
    app.destroy()
  })
})

function bitcoinAddress(seed: number): string {
  const key = p2wpkh(Uint8Array.of(2, ...new Uint8Array(32).fill(seed)), regtest)
  return key.address ?? ''
}

describe('a wallet that answers for another account, or signs something else', () => {
  const text = 'Hello World'
  const other = {
    solana: standard.createKey(2),
    polkadot: injected.createKey(2),
  }
  const bytes = (message: string) => new TextEncoder().encode(message)
  const hex = (value: Uint8Array) => `0x${Buffer.from(value).toString('hex')}`

  /** Connects a wallet that answers a signature of our choice. */
  const liars: Readonly<
    Partial<Record<Namespace, (signature: 'ofOther' | 'ofOtherText' | 'none') => Promise<App>>>
  > = {
    async solana(kind) {
      const wallet = standard.createStandardWallet()
      const own = standard.createKey(1)
      const signature = {
        ofOther: standard.signBytes(other.solana, bytes(text)),
        ofOtherText: standard.signBytes(own, bytes('Pay')),
        none: new Uint8Array(),
      }[kind]
      Object.assign(wallet.wallet.features['solana:signMessage'] ?? {}, {
        signMessage: async () => [{ signedMessage: bytes(text), signature }],
      })
      wallet.register(page)
      return (await open(latchkeySolana, { id: 'solana:Sun Wallet' })).app
    },
    async bip122(kind) {
      const behavior = bitcoinWallets.createBehavior()
      behavior.signMessage = () =>
        ({ ofOther: bitcoinWallets.ordinals.signature, ofOtherText: otherText, none: '' })[kind]
      behavior.addresses = [bitcoinWallets.payment]
      bitcoinWallets.createInjectedWallet(behavior).register(page)
      return (await open(places.bip122.network, { id: 'bip122:unisat' })).app
    },
    async polkadot(kind) {
      const wallet = injected.createInjectedWallet()
      const signature = {
        ofOther: hex(injected.signMessage(other.polkadot, bytes(`<Bytes>${text}</Bytes>`))),
        // Without its prefix the message could be a transaction.
        ofOtherText: hex(injected.signMessage(injected.createKey(1), bytes(text))),
        none: '0x',
      }[kind]
      wallet.state.signRaw = async () => ({ id: 1, signature })
      page.injectedWeb3 = { talisman: wallet.wallet }
      return (await open(polkadot, { id: 'polkadot:talisman' })).app
    },
  }
  /** BIP-322's signature of the empty text. */
  const otherText =
    'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI='
  const signedOther =
    'WALLET_SIGNED_OTHER: The wallet signed something else or used another account. The signature was discarded'
  const noAnswer = 'WALLET_ANSWER_INVALID: The wallet sent an invalid response'

  test.each([
    ['solana', 'ofOther', signedOther],
    ['solana', 'ofOtherText', signedOther],
    ['solana', 'none', noAnswer],
    ['bip122', 'ofOther', signedOther],
    ['bip122', 'ofOtherText', signedOther],
    ['bip122', 'none', noAnswer],
    ['polkadot', 'ofOther', signedOther],
    ['polkadot', 'ofOtherText', signedOther],
    ['polkadot', 'none', noAnswer],
  ] as const)('error: a message on %s, a signature %s', async (namespace, kind, error) => {
    const app = (await liars[namespace]?.(kind)) as App
    expect(await toLine(signMessage(app, { message: text }))).toBe(error)
    expect(app.store.getState().connections[namespace].status).toBe('connected')
    app.destroy()
  })

  test('error: a transaction on Solana that pays another, and a transaction of another account', async () => {
    const thief = standard.createKey(9)
    for (const [key, receiver] of [
      [standard.createKey(1), thief.publicKey],
      [thief, standard.createKey(2).publicKey],
    ] as const) {
      const wallet = standard.createStandardWallet()
      delete wallet.wallet.features['solana:signAndSendTransaction']
      const stolen = standard.buildTransaction({
        keys: [key.publicKey, receiver, new Uint8Array(32)],
        instructions: [
          { program: 2, accounts: [0, 1], data: [2, 0, 0, 0, 0, 225, 245, 5, 0, 0, 0, 0] },
        ],
      })
      Object.assign(wallet.wallet.features['solana:signTransaction'] ?? {}, {
        signTransaction: async () => [{ signedTransaction: standard.signTransaction(stolen, key) }],
      })
      page = createWindow()
      vi.stubGlobal('window', page)
      wallet.register(page)
      const { app, sent } = await open(latchkeySolana, { id: 'solana:Sun Wallet' })
      const payment = { to: foreign.solana, amount: '0.1', token: getToken(app) }
      expect(await toLine(send(app, payment))).toBe(signedOther)
      expect(sent).toEqual([])
      app.destroy()
    }
  })

  test.each([
    ['a PSBT without signatures', (psbt: Uint8Array) => psbt, noAnswer],
    ['nothing', () => new Uint8Array(), noAnswer],
    ['a PSBT whose change goes elsewhere', giveAway, signedOther],
  ])('error: a transfer on Bitcoin, answered by %s', async (_, signPsbt, error) => {
    const behavior = bitcoinWallets.createBehavior()
    behavior.addresses = [stone]
    behavior.signPsbt = signPsbt
    bitcoinWallets.createInjectedWallet(behavior).register(page)
    const { app, sent } = await open(latchkeyBitcoin, { id: 'bip122:unisat' })
    const draft = { amount: '0.1', receiverAddress: foreign.regtest }
    setSendDraft(app, draft)
    const payment = { to: foreign.regtest, amount: '0.1', token: getToken(app) }
    expect(await toLine(send(app, payment))).toBe(error)
    expect(app.store.getState().sendDraft).toMatchObject(draft)
    expect(sent).toEqual([])
    app.destroy()
  })
})

function giveAway(bytes: Uint8Array): Uint8Array {
  const asked = Transaction.fromPSBT(bytes)
  const changed = new Transaction()
  for (let at = 0; at < asked.inputsLength; at++) changed.addInput(asked.getInput(at))
  changed.addOutput(asked.getOutput(0) as { script: Uint8Array; amount: bigint })
  changed.addOutputAddress(bitcoinAddress(9), asked.getOutput(1).amount ?? 0n, regtest)
  return bitcoinWallets.signPsbt(changed.toPSBT(), [0])
}
