import { afterEach, expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector, neverSleep } from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { Environment } from '../app.ts'
import { connect } from '../connection/connect.ts'
import type { Connector } from '../connection/connectors/connector.ts'
import { getBalances } from './getBalances.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const chainId = 'eip155:31337'
const token = `0x${'12'.repeat(20)}`
const fromServer = {
  name: 'Ether',
  symbol: 'ETH',
  chainId,
  quantity: { decimals: '18', numeric: '2' },
  iconUrl: '',
}
const native = { address: 'native', balance: '0xde0b6b3a7640000', type: 'NATIVE' }
const metadata = {
  name: 'Test dollar',
  symbol: 'TUSD',
  decimals: 6,
  price: 1.5,
  iconUrl: 'https://icons.example/tusd.png',
}
const erc20 = { address: token, balance: '0x1e8480', type: 'ERC20', metadata }

/**
 * The URL of a picture on our server. A token's picture is found by the token's id, so a token that
 * copies a symbol does not get the picture of another.
 */
const pictureOf = (id: string) =>
  expect.stringContaining(`${server?.url}/public/getTokenImage/${encodeURIComponent(id)}`)

/** A connected wallet that lists these assets, and a server that lists others. */
async function open(
  list: unknown,
  parameters: {
    capabilities?: unknown
    sleep?: Environment['sleep']
    change?: (connector: Connector) => Connector
  } = {},
) {
  const { capabilities = { '0x7a69': { assetDiscovery: { supported: true } } } } = parameters
  server = await startServer((call, response) =>
    call.url.startsWith('/v1/account')
      ? json(response, { balances: [fromServer] })
      : json(response, {}),
  )
  const wallet = createFakeWallet()
  wallet.answers.wallet_getCapabilities = () => capabilities
  wallet.answers.wallet_getAssets = () => list
  const connector = fakeConnector({ id: 'a.one', wallet })
  const clock = { ms: 1_000_000 }
  const app = openApp(
    {
      ...createBrowser().openTab(),
      connectors: [parameters.change?.(connector) ?? connector],
      fetch: globalThis.fetch,
      now: () => clock.ms,
      sleep: parameters.sleep ?? neverSleep,
    },
    { apiUrl: server.url },
  )
  await connect(app, { connectorId: 'a.one' })
  const asked = (method: string) => wallet.calls.filter((call) => call.method === method)
  const askedServer = () => server?.calls.filter(({ url }) => url.startsWith('/v1/account')).length
  const read = (address = alice) => getBalances(app, { address, chainId })
  return { app, wallet, clock, asked, askedServer, read }
}

test('default: a wallet that discovers assets replaces the server', async () => {
  const { asked, askedServer, read } = await open({ '0x7a69': [erc20, native] })
  expect(await read()).toEqual([
    { ...fromServer, quantity: { decimals: '18', numeric: '1' }, iconUrl: pictureOf('ETH') },
    {
      name: 'Test dollar',
      symbol: 'TUSD',
      chainId,
      address: `${chainId}:${token}`,
      price: 1.5,
      value: 3,
      quantity: { decimals: '6', numeric: '2' },
      iconUrl: pictureOf(`${chainId}:${token}`),
    },
  ])
  expect(asked('wallet_getAssets').map(({ params }) => params)).toEqual([
    [{ account: alice, chainFilter: ['0x7a69'] }],
  ])
  expect(askedServer()).toBe(0)
  // A second read within 30 s sends no request.
  await read()
  expect(asked('wallet_getAssets').length).toBe(1)
})

test('default: the spelling of types and chains does not matter, and other kinds of assets are left out', async () => {
  const nft = { address: token, balance: '0x1', type: 'erc721', metadata: { tokenId: '0x1' } }
  const { read } = await open(
    { '0x7A69': [{ ...native, type: 'native' }, nft, { ...erc20, type: 'erc20' }] },
    { capabilities: { '0x0': { assetDiscovery: { supported: true } } } },
  )
  expect((await read()).map(({ symbol }) => symbol)).toEqual(['ETH', 'TUSD'])
})

test.each<[string, object]>([
  ['no decimals', { metadata: { ...metadata, decimals: 0 } }],
  ['nothing of it', { balance: '0x0' }],
  ['a lure in look-alike letters as its symbol', { metadata: { ...metadata, symbol: 'Ѵіѕіt' } }],
  ['a web address as its name', { metadata: { ...metadata, name: 'evil.com' } }],
])('default: a token with %s is left out', async (_, change) => {
  const { askedServer, read } = await open({ '0x7a69': [native, { ...erc20, ...change }] })
  expect((await read()).map(({ symbol }) => symbol)).toEqual(['ETH'])
  expect(askedServer()).toBe(0)
})

test('behavior: cleans names, uses the app’s name of the native currency, and loads no foreign pictures', async () => {
  const { read } = await open({
    '0x7a69': [
      {
        ...native,
        metadata: { name: 'Gold', symbol: 'XAU', decimals: 2, iconUrl: 'https://x.example' },
      },
      {
        ...erc20,
        metadata: { ...metadata, name: `a\u202eb\n${'c'.repeat(900)}`, symbol: '\u200b' },
      },
    ],
  })
  const [ether, cleaned] = await read()
  expect(ether).toMatchObject({ name: 'Ether', symbol: 'ETH', iconUrl: pictureOf('ETH') })
  expect(cleaned?.name.length).toBe(64)
  expect(cleaned).toMatchObject({
    name: expect.stringMatching(/^ab c+…$/),
    symbol: '',
    iconUrl: pictureOf(`${chainId}:${token}`),
  })
})

test.each<[string, unknown]>([
  ['does not say so', {}],
  ['says no', { '0x7a69': { assetDiscovery: { supported: false } } }],
  ['says so of another network', { '0x1': { assetDiscovery: { supported: true } } }],
  ['answers nonsense', 'yes'],
  ['says so in another form', { '0x7a69': { assetDiscovery: true } }],
])('behavior: a wallet that %s is not asked for its list, nor again', async (_, capabilities) => {
  const { clock, asked, askedServer, read } = await open({ '0x7a69': [native] }, { capabilities })
  expect(await read()).toEqual([fromServer])
  clock.ms += 30_000
  await read()
  expect(asked('wallet_getAssets')).toEqual([])
  expect(asked('wallet_getCapabilities').length).toBe(1)
  expect(askedServer()).toBe(2)
})

test('behavior: only for the account that is connected', async () => {
  const { asked, read } = await open({ '0x7a69': [native] })
  expect(await read(bob)).toEqual([fromServer])
  expect(asked('wallet_getCapabilities')).toEqual([])
})

test('behavior: a session that has not approved the method is not asked', async () => {
  const change = (connector: Connector) => ({
    ...connector,
    approvedMethods: () => ['personal_sign'],
  })
  const { asked, read } = await open({ '0x7a69': [native] }, { change })
  expect(await read()).toEqual([fromServer])
  expect(asked('wallet_getCapabilities')).toEqual([])
})

test('behavior: another account of the wallet is read again', async () => {
  const { wallet, asked, read } = await open('nonsense')
  await read()
  wallet.answers.wallet_getAssets = () => ({ '0x7a69': [native] })
  wallet.emit('accountsChanged', [bob])
  expect((await read(bob))[0]?.quantity.numeric).toBe('1')
  expect(asked('wallet_getAssets').length).toBe(2)
})

const changed = (change: object) => ({ '0x7a69': [native, { ...erc20, ...change }] })
const described = (change: object) => changed({ metadata: { ...metadata, ...change } })

test.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'assets'],
  ['an empty record', {}],
  ['an empty list', { '0x7a69': [] }],
  ['another network', { '0x1': [native] }],
  ['a name that every object has', { constructor: [native], __proto__: [native] }],
  ['no native currency', { '0x7a69': [erc20] }],
  ['two native currencies', { '0x7a69': [native, native] }],
  ['one token twice', { '0x7a69': [native, erc20, erc20] }],
  ['too many entries', { '0x7a69': [native, ...Array.from({ length: 500 }, () => erc20)] }],
  ['a balance that is no quantity', changed({ balance: '12' })],
  ['a negative balance', changed({ balance: '-0x1' })],
  ['a balance above 256 bits', changed({ balance: `0x1${'0'.repeat(64)}` })],
  ['a native balance that is a number', { '0x7a69': [{ ...native, balance: 1 }] }],
  ['no address', changed({ address: 'native' })],
  ['an address with markup', changed({ address: `${token}"><img src=x>` })],
  ['a wrong checksum', changed({ address: alice.replace('F', 'f') })],
  ['no metadata', changed({ metadata: undefined })],
  ['a name that is none', described({ name: { toString: 'x' } })],
  ['a very long name', described({ name: 'x'.repeat(1_025) })],
  ['negative decimals', described({ decimals: -1 })],
  ['decimals above 255', described({ decimals: 1e9 })],
  ['broken decimals', described({ decimals: 1.5 })],
  ['a negative price', described({ price: -1 })],
  ['a price that is no number', described({ price: Number.NaN })],
  ['an endless price', described({ price: Number.POSITIVE_INFINITY })],
  ['a type that is none', changed({ type: 1 })],
])('error: a wallet that answers with %s: the server is asked', async (_, list) => {
  const { app, asked, askedServer, read } = await open(list)
  expect(await read()).toEqual([fromServer])
  expect(asked('wallet_getAssets').length).toBe(1)
  expect(askedServer()).toBe(1)
  expect(app.store.getState().toast).toBeUndefined()
})

test('error: reads from the server if the wallet throws', async () => {
  const { wallet, read } = await open(undefined)
  wallet.answers.wallet_getAssets = () => {
    throw new Error('locked')
  }
  expect(await read()).toEqual([fromServer])
})

test('error: reads from the server if the wallet does not respond within 3 s', async () => {
  const slept: number[] = []
  const isTimeOver = { now: false }
  const sleep: Environment['sleep'] = (ms, signal) => {
    slept.push(ms)
    return isTimeOver.now ? Promise.resolve() : neverSleep(ms, signal)
  }
  const { wallet, read } = await open(undefined, { sleep })
  wallet.answers.wallet_getAssets = () => new Promise(() => {})
  slept.length = 0
  isTimeOver.now = true
  expect(await read()).toEqual([fromServer])
  expect(slept).toContain(3_000)
})
