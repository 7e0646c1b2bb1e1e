import type { Dapp, WalletConnectSession } from '@latchkey/walletconnect'
import { parseBitcoinAddress, verifyBitcoinMessage } from '@latchkey/wire/bitcoin'
import { decodeSs58Address, encodePayload, parsePayload } from '@latchkey/wire/polkadot'
import { Transaction } from '@scure/btc-signer'
import { verify } from '@scure/sr25519'
import type { BrowserContext, Page, WebSocketRoute } from 'playwright-core'
import encodeQR from 'qr'
import { type Hex, verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { accounts } from '../src/accounts.ts'
import { bitcoinAccounts, bitcoinChains, getBitcoinAddresses } from '../src/bitcoin/accounts.ts'
import { polkadotAccounts } from '../src/polkadot/accounts.ts'
import { startConnected } from './startConnected.ts'

let started: Awaited<ReturnType<typeof startConnected>>
let context: BrowserContext
let app: Dapp
let kept: Map<string, string>
let complaints: string[]
const [one, two] = accounts
const chain = 'eip155:31337'
const other = 'eip155:31338'
const asked = {
  eip155: {
    chains: [chain, other, 'eip155:1'],
    methods: [
      'personal_sign',
      'eth_sendTransaction',
      'eth_accounts',
      'wallet_switchEthereumChain',
      'wallet_sendCalls',
      'wallet_getCallsStatus',
      'wallet_getCapabilities',
      'eth_sign',
    ],
    events: ['chainChanged', 'accountsChanged', 'theme'],
  },
}

beforeAll(async () => {
  started = await startConnected()
})
afterAll(() => started?.stop())
beforeEach(async () => {
  complaints = []
  context = await started.browser.newContext()
  context.setDefaultTimeout(120_000)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
  kept = new Map()
  app = await started.openApp(kept)
})
afterEach(async () => {
  app.close()
  await context.close()
  expect(complaints).toEqual([])
})

async function openWallet(path = ''): Promise<Page> {
  const page = await context.newPage()
  await page.goto(started.urls.wallet + path)
  await page.getByTestId('pair').waitFor()
  return page
}

async function pair(page: Page, uri: string) {
  await page.getByTestId('uri').fill(uri)
  await page.getByTestId('pair').click()
  await page.getByTestId('proposal').waitFor()
}

async function connect(): Promise<{ page: Page; session: WalletConnectSession }> {
  const page = await openWallet()
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  await pair(page, uri)
  await page.getByTestId('allow-account-1').check()
  await page.getByTestId('approve').click()
  const session = await approval
  await page.getByTestId('session').waitFor()
  return { page, session }
}

const ask = (session: WalletConnectSession, method: string, params: unknown, chainId = chain) =>
  app.request({ topic: session.topic, chainId, method, params }).catch((error: unknown) => error)

/**
 * Sends a request to a network's node, bypassing the wallet. A transaction is mined at once, but
 * not before the response to sending it.
 */
async function rpc(chainId: typeof chain | typeof other, method: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(started.urls.rpc[chainId], { method: 'POST', headers, body })
  return ((await response.json()) as { result?: unknown }).result
}

const nextEvent = <Name extends Parameters<Dapp['on']>[0]>(name: Name) =>
  new Promise<unknown>((resolve) => {
    const off = app.on(name, (event) => {
      off()
      resolve(event)
    })
  })

test('default: connects with chosen accounts and networks, signs, and ends', async () => {
  const { page, session } = await connect()
  expect(session.namespaces).toEqual({
    eip155: {
      chains: [chain, other],
      accounts: [chain, other].flatMap((id) => [`${id}:${one}`, `${id}:${two}`]),
      methods: asked.eip155.methods.slice(0, -1),
      events: asked.eip155.events,
    },
  })
  const signed = ask(session, 'personal_sign', ['0x68656c6c6f', one])
  await page.getByTestId('request').getByText('hello', { exact: true }).waitFor()
  await page.getByTestId('approve').click()
  const signature = (await signed) as Hex
  expect(await verifyMessage({ address: one, message: 'hello', signature })).toBe(true)

  const ended = nextEvent('session_delete')
  await page.getByTestId('session-manage').click()
  await page.getByTestId('session-disconnect').click()
  expect(await ended).toMatchObject({ topic: session.topic, reason: { code: 6000 } })
  await page.getByText('Test App is disconnected.').waitFor()
})

test('behavior: a session of two namespaces, and a transaction of Polkadot in words', async () => {
  const westend = 'polkadot:e143f23803ac50e8f6f8e62695d1ce9e'
  const [alice, bob] = polkadotAccounts
  const methods = ['polkadot_signMessage', 'polkadot_signTransaction']
  const polkadot = { chains: [westend], methods, events: [] }
  const page = await openWallet()
  const { uri, approval } = await app.connect({ optionalNamespaces: { ...asked, polkadot } })
  await pair(page, uri)
  await page.getByTestId('approve').click()
  const session = await approval
  expect(session.namespaces.polkadot).toEqual({ ...polkadot, accounts: [`${westend}:${alice}`] })
  expect(session.namespaces.eip155?.accounts).toEqual([`${chain}:${one}`, `${other}:${one}`])
  const bobsKey = Buffer.from(decodeSs58Address(bob) ?? []).toString('hex')
  const transactionPayload = {
    address: alice,
    blockHash: `0x${'b1'.repeat(32)}`,
    blockNumber: '0x00231d30',
    era: '0x0703',
    genesisHash: `0x${westend.slice(9)}${'0'.repeat(32)}`,
    // Send 1.5 WND to Bob.
    method: `0x040300${bobsKey}0b0098f73e5d01`,
    nonce: '0x07',
    specVersion: '0x7b',
    tip: '0x00',
    transactionVersion: '0x07',
    signedExtensions: ['CheckGenesis', 'CheckMortality', 'CheckNonce', 'ChargeAssetTxPayment'],
    version: 4,
    assetId: '0x00020432050100',
  }
  const params = { address: alice, transactionPayload }
  const signed = ask(session, 'polkadot_signTransaction', params, westend)
  for (const text of ['1.5 WND', bob, 'Westend', transactionPayload.assetId])
    await page.getByTestId('details').getByText(text, { exact: true }).waitFor()
  await page.getByTestId('approve').click()
  const { signature } = (await signed) as { signature: string }
  expect(signature).toMatch(/^0x01/)
  const bytes = Buffer.from(signature.slice(4), 'hex')
  const message = encodePayload(parsePayload(transactionPayload))
  expect(verify(message, bytes, decodeSs58Address(alice) ?? new Uint8Array())).toBe(true)
  const foreign = { address: bob, message: 'Hello' }
  expect(await ask(session, 'polkadot_signMessage', foreign, westend)).toMatchObject({
    cause: { code: 4100 },
  })
})

test('behavior: a session of Bitcoin, and a transaction in words', async () => {
  const chain = bitcoinChains[1]
  const [{ payment, ordinals }, { payment: foreign }] = bitcoinAccounts
  const methods = ['signMessage', 'signPsbt', 'getAccountAddresses', 'sendTransfer']
  const bip122 = { chains: [chain], methods, events: [] }
  const page = await openWallet()
  const { uri, approval } = await app.connect({
    optionalNamespaces: { bip122: { ...bip122, methods: [...methods, 'stx_transfer'] } },
  })
  await pair(page, uri)
  await page.getByTestId('approve').click()
  const session = await approval
  expect(session.namespaces).toEqual({ bip122: { ...bip122, accounts: [`${chain}:${payment}`] } })
  const account = payment
  expect(await ask(session, 'getAccountAddresses', { account }, chain)).toEqual(
    getBitcoinAddresses(0),
  )

  const message = 'Hello from Bitcoin'
  for (const address of [payment, ordinals]) {
    const signed = ask(session, 'signMessage', { account, address, message }, chain)
    await page.getByTestId('details').getByText(address, { exact: true }).waitFor()
    await page.getByTestId('approve').click()
    const { signature } = (await signed) as { signature: string }
    expect(verifyBitcoinMessage({ address, network: 'regtest', message, signature })).toBe(true)
  }

  const psbt = new Transaction()
  const { script } = parseBitcoinAddress(payment, 'regtest') ?? {}
  if (!script) throw new Error('An address of the wallet')
  psbt.addInput({ txid: 'ab'.repeat(32), index: 0, witnessUtxo: { script, amount: 100_000n } })
  psbt.addOutput({ script, amount: 99_000n })
  const params = { account, psbt: toBase64(psbt), signInputs: [{ address: payment, index: 0 }] }
  const asked = ask(session, 'signPsbt', params, chain)
  await page.getByTestId('details').getByText('0.00001 BTC', { exact: true }).waitFor()
  await page.getByTestId('approve').click()
  const answer = (await asked) as { psbt: string }
  const signed = Transaction.fromPSBT(Buffer.from(answer.psbt, 'base64'))
  // Throws unless each input is signed.
  signed.finalize()
  expect(signed.unsignedTx).toEqual(psbt.unsignedTx)
  for (const refused of [
    { account: foreign, message },
    { account: ordinals, message },
  ])
    expect(await ask(session, 'signMessage', refused, chain)).toMatchObject({
      cause: { code: 4100 },
    })
})

const toBase64 = (psbt: Transaction) => Buffer.from(psbt.toPSBT()).toString('base64')

test('behavior: sends on the network of the request', async () => {
  const { page, session } = await connect()
  const to = '0x00000000000000000000000000000000000000ab'
  const sent = ask(session, 'eth_sendTransaction', [{ from: two, to, value: '0x2a' }], other)
  await page.getByTestId('details').getByText('Latchkey Two (31338)').waitFor()
  await page.getByTestId('approve').click()
  expect(await sent).toMatch(/^0x[0-9a-f]{64}$/)
  await expect.poll(() => rpc(other, 'eth_getBalance', [to, 'latest'])).toBe('0x2a')
})

test('behavior: responds at once with data that the session already contains', async () => {
  const { session } = await connect()
  expect(await ask(session, 'eth_accounts', [])).toEqual([one, two])
  expect(await ask(session, 'wallet_getCapabilities', [two, ['0x7a69']])).toEqual({
    '0x7a69': { atomic: { status: 'unsupported' } },
  })
})

test('behavior: a batch is sent one after another, and its status is reported', async () => {
  const { page, session } = await connect()
  const to = '0x00000000000000000000000000000000000000ac'
  const call = { to, value: '0x1' }
  const batch = (atomicRequired: boolean) => [
    { version: '2.0.0', from: one, chainId: '0x7a69', atomicRequired, calls: [call, call] },
  ]
  expect(await ask(session, 'wallet_sendCalls', batch(true))).toMatchObject({
    cause: { code: 5760 },
  })
  const sent = ask(session, 'wallet_sendCalls', batch(false))
  await page.getByTestId('details').getByText('2 · Value').waitFor()
  await page.getByTestId('approve').click()
  const { id } = (await sent) as { id: string }
  expect(await ask(session, 'wallet_getCallsStatus', [id])).toMatchObject({
    id,
    chainId: '0x7a69',
    atomic: false,
    status: 200,
    receipts: [{ status: '0x1' }, { status: '0x1' }],
  })
  expect(await ask(session, 'wallet_getCallsStatus', ['other'])).toMatchObject({
    cause: { code: 5730 },
  })
})

test('behavior: with the setting on, an app’s calls are one transaction that fails as a whole', async () => {
  const { page, session } = await connect()
  await page.getByTestId('atomic').check()
  expect(await ask(session, 'wallet_getCapabilities', [two, ['0x7a69', '0x1']])).toEqual({
    '0x7a69': { atomic: { status: 'supported' } },
  })
  expect(await ask(session, 'wallet_getCapabilities', [accounts[3]])).toMatchObject({
    cause: { code: 4100 },
  })
  const to = '0x00000000000000000000000000000000000000af'
  const toBatch = (more: object = {}, value = '0x1') => [
    {
      ...{ version: '2.0.0', from: two, chainId: '0x7a69', atomicRequired: true },
      ...{
        calls: [
          { to, value },
          { to, value: '0x2' },
        ],
        ...more,
      },
    },
  ]
  const counted = async () => Number(await rpc(chain, 'eth_getTransactionCount', [two, 'latest']))
  const before = await counted()
  const sent = ask(session, 'wallet_sendCalls', toBatch({ id: 'first' }))
  await page.getByText('Make 2 calls in one transaction?').waitFor()
  await page.getByTestId('approve').click()
  expect(await sent).toEqual({ id: 'first' })
  const readStatus = () => ask(session, 'wallet_getCallsStatus', ['first'])
  await expect.poll(readStatus).toMatchObject({ status: 200 })
  expect(await readStatus()).toMatchObject({ atomic: true, receipts: [{ status: '0x1' }] })
  expect(await rpc(chain, 'eth_getBalance', [to, 'latest'])).toBe('0x3')
  // One transaction, and its authorization.
  expect(await counted()).toBe(before + 2)
  for (const [batch, code] of [
    [toBatch({ id: 'first' }), 5720],
    [toBatch({}, `0x${'f'.repeat(40)}`), -32000],
    [toBatch({ from: accounts[3] }), 4100],
  ] as const)
    expect(await ask(session, 'wallet_sendCalls', batch)).toMatchObject({ cause: { code } })
  expect(await rpc(chain, 'eth_getBalance', [to, 'latest'])).toBe('0x3')
})

test('behavior: rejects, one request after another, with a count', async () => {
  const { page, session } = await connect()
  const first = ask(session, 'personal_sign', ['first', one])
  await page.getByTestId('request').getByText('first', { exact: true }).waitFor()
  const second = ask(session, 'personal_sign', ['second', one])
  await page.getByText('1 of 2 waiting').waitFor()
  await page.getByTestId('reject').click()
  expect(await first).toMatchObject({ cause: { code: 4001 } })
  await page.getByTestId('request').getByText('second', { exact: true }).waitFor()
  await page.getByTestId('reject').click()
  expect(await second).toMatchObject({ cause: { code: 4001 } })
  await expect.poll(() => page.getByTestId('request').count()).toBe(0)
})

test('error: an account outside the session is refused without asking', async () => {
  const { session } = await connect()
  expect(await ask(session, 'personal_sign', ['hi', accounts[3]])).toMatchObject({
    cause: { code: 4100 },
  })
})

test('behavior: switch of network and account, an event, extend, ping, update', async () => {
  const { page, session } = await connect()
  await page.getByTestId('session-manage').click()
  const { topic } = session

  const chainChanged = nextEvent('session_event')
  await page.getByTestId('session-chain').selectOption('31338')
  expect(await chainChanged).toEqual({ topic, chainId: other, name: 'chainChanged', data: 31_338 })

  const accountsChanged = nextEvent('session_event')
  await page.getByTestId('session-account').selectOption('1')
  expect(await accountsChanged).toEqual({
    topic,
    chainId: other,
    name: 'accountsChanged',
    data: [two, one],
  })

  const custom = nextEvent('session_event')
  await page.getByTestId('session-event').click()
  await page.getByTestId('session-event-name').fill('theme')
  await page.getByTestId('session-event-data').fill('{"dark":true}')
  await page.getByTestId('session-emit').click()
  expect(await custom).toEqual({ topic, chainId: other, name: 'theme', data: { dark: true } })

  await page.getByTestId('session-ping').click()
  await page.getByTestId('session-note').getByText('Response after').waitFor()

  const updated = nextEvent('session_update')
  await page.getByTestId('session-reach').click()
  const row = page.getByTestId('session')
  await row.getByTestId('allow-account-0').uncheck()
  await row.getByTestId('allow-chain-31337').uncheck()
  await page.getByTestId('session-update').click()
  expect(await updated).toMatchObject({
    topic,
    namespaces: { eip155: { accounts: [`${other}:${two}`] } },
  })

  // Expiry times are in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const extended = nextEvent('session_extend')
  await page.getByTestId('session-extend').click()
  const { expirySeconds } = (await extended) as { expirySeconds: number }
  expect(expirySeconds).toBeGreaterThan(session.expirySeconds)
  await expect
    .poll(() => page.getByTestId('session-expiry').getAttribute('data-expiry'))
    .toBe(String(expirySeconds))
})

test('behavior: the app requests a switch of network', async () => {
  const page = await openWallet()
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  await pair(page, uri)
  await page.getByTestId('allow-chain-31338').uncheck()
  await page.getByTestId('approve').click()
  const session = await approval
  const event = nextEvent('session_event')
  const updated = nextEvent('session_update')
  const switched = ask(session, 'wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])
  await page.getByText('Adds Latchkey Two to the session').waitFor()
  await page.getByTestId('approve').click()
  expect(await switched).toBe(null)
  expect(await updated).toMatchObject({
    namespaces: { eip155: { accounts: [`${chain}:${one}`, `${other}:${one}`] } },
  })
  expect(await event).toMatchObject({ name: 'chainChanged', data: 31_338 })
  expect(await ask(session, 'wallet_switchEthereumChain', [{ chainId: '0x1' }])).toMatchObject({
    cause: { code: 4902 },
  })
})

test('behavior: a proposal and a request outlast a reload, a decision too', async () => {
  const page = await openWallet()
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  await pair(page, uri)
  await page.reload()
  await page.getByTestId('proposal').getByTestId('approve').click()
  const session = await approval
  const signed = ask(session, 'personal_sign', ['after a reload', one])
  await page.getByTestId('request').waitFor()
  await page.reload()
  await page.getByTestId('request').getByText('after a reload', { exact: true }).waitFor()
  await page.getByTestId('approve').click()
  expect(await signed).toMatch(/^0x/)
})

test('behavior: a locked wallet shows no requests and does not respond; after unlocking it prompts', async () => {
  const { page, session } = await connect()
  await page.getByTestId('lock').click()
  const signed = ask(session, 'personal_sign', ['hi', one])
  await page.getByText('One request is waiting. Unlock to see it.').waitFor()
  expect(await page.getByTestId('request').count()).toBe(0)
  await page.getByTestId('unlock').click()
  await page.getByTestId('request').getByTestId('approve').click()
  expect(await signed).toMatch(/^0x/)
})

const nonce = async () => Number(await rpc(chain, 'eth_getTransactionCount', [one, 'pending']))

/** Two windows of the wallet that both show a transaction of the app. */
async function askInTwoWindows(transaction: object) {
  const { page, session } = await connect()
  const second = await openWallet()
  await second.getByTestId('session').waitFor()
  const sent = ask(session, 'eth_sendTransaction', [transaction])
  await Promise.all([page, second].map((where) => where.getByTestId('approve').waitFor()))
  return { page, second, sent }
}

test('behavior: two windows of the wallet handle a request only once', async () => {
  const to = '0x00000000000000000000000000000000000000ad'
  const before = await nonce()
  const { page, second, sent } = await askInTwoWindows({ from: one, to, value: '0x7' })
  // The slower click comes too late, and its button is gone.
  for (const where of [page, second])
    void where
      .getByTestId('approve')
      .click()
      .catch(() => {})
  expect(await sent).toMatch(/^0x[0-9a-f]{64}$/)
  await Promise.all(
    [page, second].map((where) => expect.poll(() => where.getByTestId('request').count()).toBe(0)),
  )
  await expect.poll(() => rpc(chain, 'eth_getBalance', [to, 'latest'])).toBe('0x7')
  expect(await nonce()).toBe(before + 1)
})

test('behavior: a window whose storage lags behind another one sends nothing twice', async () => {
  const to = '0x00000000000000000000000000000000000000ae'
  const before = await nonce()
  const { page, second, sent } = await askInTwoWindows({ from: one, to, value: '0x9' })
  await second.evaluate(() => {
    const kept = new Map(Object.entries(localStorage))
    const { keys } = Object
    Object.keys = (value) => (value === localStorage ? [...kept.keys()] : keys(value))
    Storage.prototype.getItem = (key) => kept.get(key) ?? null
    window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true)
  })
  await page.getByTestId('approve').click()
  expect(await sent).toMatch(/^0x[0-9a-f]{64}$/)
  await second.getByTestId('approve').click()
  await expect.poll(() => rpc(chain, 'eth_getBalance', [to, 'latest'])).toBe('0x9')
  await second.waitForTimeout(1_000)
  expect(await nonce()).toBe(before + 1)
})

test('behavior: a rejected proposal', async () => {
  const page = await openWallet()
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  await pair(page, uri)
  await page.getByTestId('reject').click()
  expect(await approval.catch((error: unknown) => error)).toMatchObject({
    code: 'SESSION_REJECTED',
  })
  await expect.poll(() => page.getByTestId('proposal').count()).toBe(0)
})

test('behavior: a code in an image; the page is whole for keyboard and screen reader', async () => {
  const page = await openWallet()
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  const buffer = Buffer.from(encodeQR(uri, 'gif', { border: 4, scale: 4 }))
  await page
    .getByTestId('scan-file')
    .setInputFiles({ name: 'code.gif', mimeType: 'image/gif', buffer })
  await page.getByTestId('proposal').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-testid')))
    .toBe('title')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await page.getByTestId('allow-chain-31337').isChecked()).toBe(false)
  await page.getByTestId('approve').focus()
  await page.keyboard.press('Enter')
  const session = await approval
  expect(session.namespaces.eip155?.chains).toEqual([other])
})

test('behavior: a request whose session ends disappears with a word', async () => {
  const { page, session } = await connect()
  const asking = ask(session, 'personal_sign', ['hi', one])
  await page.getByTestId('request').waitFor()
  await app.disconnect(session.topic)
  await page.getByTestId('notices').getByText('Test App ended its session').waitFor()
  await expect.poll(() => page.getByTestId('request').count()).toBe(0)
  expect(await asking).toBeInstanceOf(Error)
})

test('behavior: decisions made while the relay is away are sent when it is back', async () => {
  const away = { now: false }
  const sockets = new Set<WebSocketRoute>()
  await context.routeWebSocket(/^ws:/, (socket) => {
    if (away.now) return void socket.close({ code: 1001 })
    socket.connectToServer()
    sockets.add(socket)
  })
  const { page, session } = await connect()
  const signed = ask(session, 'personal_sign', ['hi', one])
  await page.getByTestId('request').getByTestId('approve').waitFor()
  away.now = true
  for (const socket of sockets) await socket.close({ code: 1001 })
  await page.locator('[data-testid=relay][data-status=waiting]').waitFor()
  await page.getByTestId('approve').click()
  await expect.poll(() => page.getByTestId('request').count()).toBe(0)
  await page.reload()
  await page.getByTestId('pair').waitFor()
  away.now = false
  await page.locator('[data-testid=relay][data-status=connected]').waitFor()
  expect(await signed).toMatch(/^0x/)
})

test('behavior: opened by a link that works once; the app ends the session', async () => {
  const { uri, approval } = await app.connect({ optionalNamespaces: asked })
  const page = await openWallet(`/wc?uri=${encodeURIComponent(uri)}`)
  await page.getByTestId('proposal').getByTestId('approve').click()
  const { topic } = await approval
  expect(new URL(page.url()).search).toBe('')
  await page.getByTestId('session').waitFor()
  await page.getByTestId('uri').fill(uri)
  await page.getByTestId('pair').click()
  await page.getByText('This link was already used. Create a new one in the app.').waitFor()
  await app.disconnect(topic)
  await page.getByTestId('notices').getByText('Test App ended its session').waitFor()
  await expect.poll(() => page.getByTestId('session').count()).toBe(0)
})

const signIn = () =>
  app.authenticate({
    payload: {
      domain: 'app.example',
      aud: 'https://app.example/login',
      nonce: 'abcdef123456',
      chains: [chain, other],
      statement: 'I accept the terms',
    },
    methods: ['personal_sign'],
    optionalNamespaces: asked,
    verify: async ({ account, message, signature }) =>
      verifyMessage({
        address: account.split(':')[2] as Hex,
        message,
        signature: signature as Hex,
      }),
  })

test('behavior: signs in with two accounts and has a session at once', async () => {
  const page = await openWallet()
  const { uri, answer } = await signIn()
  await page.getByTestId('uri').fill(uri)
  await page.getByTestId('pair').click()
  const sheet = page.getByTestId('sign-in')
  await sheet.getByText('I accept the terms').waitFor()
  expect(await sheet.getByTestId('domain-warning').count()).toBe(0)
  await sheet.getByTestId('allow-account-1').check()
  await sheet.getByText('Account 2 ·').waitFor()
  await sheet.getByTestId('approve').click()
  const { cacaos, session } = await answer
  expect(cacaos.map(({ p }) => p.iss)).toEqual([
    `did:pkh:${chain}:${one}`,
    `did:pkh:${chain}:${two}`,
  ])
  expect(session?.namespaces.eip155?.methods).toContain('personal_sign')
  await page.getByTestId('session').waitFor()
  expect(await page.getByTestId('proposal').count()).toBe(0)
  if (!session) throw new Error('a session was asked for')
  const signed = ask(session, 'personal_sign', ['hi', two])
  await page.getByTestId('request').getByTestId('approve').click()
  expect(await signed).toMatch(/^0x/)
})

test('behavior: a rejected sign-in', async () => {
  const page = await openWallet()
  const { uri, answer } = await signIn()
  await page.getByTestId('uri').fill(uri)
  await page.getByTestId('pair').click()
  await page.getByTestId('sign-in').getByTestId('reject').click()
  expect(await answer.catch((error: unknown) => error)).toBeInstanceOf(Error)
  await expect.poll(() => page.getByTestId('sign-in').count()).toBe(0)
  expect(await page.getByTestId('proposal').count()).toBe(0)
})
