import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chains, readArtifact, startChains } from '@latchkey/dev'
import { accountBalanceRoute, accountPortfolioRoute } from '@latchkey/wire'
import { encodeDeployData, encodeFunctionData, getAddress, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { heldActivity } from '../../test/heldActivity.ts'
import { makeServices } from '../../test/makeServices.ts'
import { startFailing } from '../../test/startFailing.ts'
import { nativeAddress } from '../evm/address.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import type { ReadPrices } from '../prices/openPrices.ts'
import { priceScale } from '../prices/price.ts'
import { openBalanceSources } from './openBalanceSources.ts'
import { balanceRoutes } from './routes.ts'

type Hex = `0x${string}`
const mintAbi = parseAbi(['function mint(address, uint256)'])
const word = (hex: string) => hex.padStart(64, '0')
const addressAt = (index: number) => `0x${word(index.toString(16)).slice(24)}` as const
/** Contracts that return the same for every call, including `balanceOf` and `getPair`. */
const hostile = {
  reverts: '0x60006000fd',
  short: '0x60056000f3',
  long: '0x620186a06000f3',
  huge: `0x7f${'f'.repeat(64)}60005260206000f3`,
  burnsGas: '0x5b600056',
}
/** The assets of each funded account, by value. */
const held = ['ETH', 'dBTC', 'dGLD', 'WETH', 'dUSD']
const seven = '0x600760005260206000f3'

let chains: Chains
let proxy: { url: string; requests: () => number; close: () => void }
let folder: string

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
  proxy = await countRequests(chains.urls['eip155:31337'])
  folder = await mkdtemp(join(tmpdir(), 'latchkey-balance-'))
})
afterAll(async () => {
  proxy?.close()
  await chains?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('default: native first, then by worth, exact amounts, prices from the pools', async () => {
  const { get } = await start()
  const { status, balances } = await get(holder(), '&chainId=eip155:31337')
  expect(status).toBe(200)
  expect(balances.map(({ symbol }) => symbol)).toEqual(held)
  expect(balances[0]).toMatchObject({
    name: 'Ether',
    chainId: 'eip155:31337',
    price: expect.closeTo(3000, -2),
    value: expect.any(Number),
    iconUrl: expect.stringMatching(/\/public\/getTokenImage\/ETH$/),
  })
  expect(balances[0]).not.toHaveProperty('address')
  expect(balances.at(-1)).toEqual({
    name: 'Dev USD',
    symbol: 'dUSD',
    chainId: 'eip155:31337',
    address: `eip155:31337:${chains.addresses['eip155:31337'].usd}`,
    price: 1,
    priceUpdatedAt: '1970-01-01T00:00:00.000Z',
    value: 12_500,
    quantity: { decimals: '6', numeric: '12500' },
    iconUrl: expect.stringMatching(/\/public\/getTokenImage\/dUSD$/),
  })
})

test('default: the change of a price over a day in percent; the balances do not wait for it', async () => {
  const before = { price: 2_500n * priceScale, seenAtMs: 0, source: 'recorded' } as const
  const { get } = await start({
    dayPrices: async ({ tokens }) =>
      tokens.map((token) => (token === nativeAddress ? before : undefined)),
  })
  const { balances } = await get(holder(), '&chainId=eip155:31337')
  const [ether, bitcoin] = balances
  expect(ether?.priceChange).toBeCloseTo(((ether?.price ?? 0) / 2_500 - 1) * 100, 1)
  expect(bitcoin?.price).toBeDefined()
  expect(bitcoin).not.toHaveProperty('priceChange')
  const late = await start({ dayPrices: () => new Promise(() => {}) })
  const [first] = (await late.get(holder(), '&chainId=eip155:31337')).balances
  expect(first?.price).toBeDefined()
  expect(first).not.toHaveProperty('priceChange')
})

test('param: chainId absent reads every chain, leaving out those that fail', async () => {
  const { get } = await start()
  const all = await get(holder())
  expect(new Set(all.balances.map(({ chainId }) => chainId))).toEqual(
    new Set(['eip155:31337', 'eip155:31338']),
  )
  const natives = all.balances.map(({ address }) => address === undefined)
  expect(natives).toEqual([...natives].sort().reverse())
  const half = await start({ second: 'http://127.0.0.1:9' })
  const { status, balances } = await half.get(holder())
  expect(status).toBe(200)
  expect(new Set(balances.map(({ chainId }) => chainId))).toEqual(new Set(['eip155:31337']))
})

test('param: forceUpdate shows an empty token and reads again', async () => {
  const { get } = await start()
  const { gold } = chains.addresses['eip155:31337']
  const force = `&chainId=31337&forceUpdate=eip155:31337:${gold}`
  const nobody = '0x00000000000000000000000000000000deadbeef'
  const { balances } = await get(nobody, force)
  expect(balances.map(({ symbol, quantity }) => [symbol, quantity.numeric])).toEqual([
    ['ETH', '0'],
    ['dGLD', '0'],
  ])
  await chainRpc('anvil_setBalance', [nobody, '0xde0b6b3a7640001'])
  const fresh = await get(nobody, force)
  expect(fresh.balances[0]?.quantity.numeric).toBe('1.000000000000000001')
})

test('param: forceUpdate ids come back exactly as asked', async () => {
  const { get } = await start()
  const { gold, usd } = chains.addresses['eip155:31337']
  const asked = [getAddress(gold), usd.toLowerCase()].map((address) => `eip155:31337:${address}`)
  const { balances } = await get(holder(), `&chainId=31337&forceUpdate=${asked.join(',')}`)
  expect(balances.map(({ address }) => address)).toEqual(expect.arrayContaining(asked))
})

test('error: forceUpdate on a network that is not served is refused by its chainId', async () => {
  const { get } = await start()
  for (const id of ['eip155:999:0x00000000000000000000000000000000deadbeef', 'solana:none:abc'])
    expect(await get(holder(), `&forceUpdate=${id}`)).toMatchObject({
      status: 400,
      field: 'chainId',
    })
})

test('default: the portfolio names what is held', async () => {
  const { get, portfolio } = await start()
  const { balances } = await get(holder(), '&chainId=31337')
  const { data } = accountPortfolioRoute.result.parse(await portfolio(holder(), '&chainId=31337'))
  expect(data.map(({ name, symbol }) => [name, symbol])).toEqual(
    balances.map(({ name, symbol }) => [name, symbol]),
  )
  expect(data.map(({ id }) => id).slice(1)).toEqual(balances.slice(1).map(({ address }) => address))
})

test.each([{ plain: false }, { plain: true }])(
  'error: a node that answers every call with an error is 503, and nothing is cached: %o',
  async ({ plain }) => {
    const failing = await startFailing(chains.urls['eip155:31337'])
    onTestFinished(failing.stop)
    const { get, now } = await start({ first: failing.url, plain })
    for (let asking = 0; asking < 2; asking++)
      expect(await get(holder(), '&chainId=31337')).toMatchObject({ status: 503, field: 'chainId' })
    const other = await get(holder())
    expect(new Set(other.balances.map(({ chainId }) => chainId))).toEqual(new Set(['eip155:31338']))
    expect(other.unavailable).toEqual(['eip155:31337'])
    failing.heal()
    // A node that fails all calls and a probe is paused.
    now.ms += 10_000
    const healed = await get(holder(), '&chainId=31337')
    expect([healed.status, healed.balances.length]).toEqual([200, held.length])
    const whole = await get(holder())
    expect(whole.balances.length).toBeGreaterThan(other.balances.length)
    expect(whole.unavailable).toBeUndefined()
  },
)

test.each([{ plain: false }, { plain: true }])(
  'behavior: a healthy second upstream is asked where the first answers with errors: %o',
  async ({ plain }) => {
    const failing = await startFailing(chains.urls['eip155:31337'])
    onTestFinished(failing.stop)
    const { get } = await start({ first: [failing.url, proxy.url], plain })
    const { status, balances } = await get(holder(), '&chainId=31337')
    expect([status, balances.length]).toEqual([200, held.length])
  },
)

test('param: another currency has amounts but no invented price', async () => {
  const { get } = await start()
  const { balances } = await get(holder(), '&chainId=eip155:31337&currency=EUR')
  expect(balances.length).toBe(held.length)
  for (const balance of balances) {
    expect(balance).not.toHaveProperty('price')
    expect(balance).not.toHaveProperty('value')
  }
})

test('behavior: cached for a few seconds, per currency', async () => {
  const { get, now } = await start()
  const owner = addressAt(0xabc1)
  const amount = async () =>
    (await get(owner, '&chainId=eip155:31337')).balances[0]?.quantity.numeric
  expect(await amount()).toBe('0')
  await chainRpc('anvil_setBalance', [owner, '0xde0b6b3a7640000'])
  expect(await amount()).toBe('0')
  now.ms += 3_001
  expect(await amount()).toBe('1')
})

test('behavior: later answers show what forceUpdate has read', async () => {
  const { get } = await start()
  const owner = addressAt(0xabc2)
  const amounts = async () => {
    const one = (await get(owner, '&chainId=31338')).balances
    const all = (await get(owner)).balances.filter(({ chainId }) => chainId === 'eip155:31338')
    return [one[0]?.quantity.numeric, all[0]?.quantity.numeric]
  }
  expect(await amounts()).toEqual(['0', undefined])
  await chainRpc('anvil_setBalance', [owner, '0xde0b6b3a7640000'], 'eip155:31338')
  expect(await amounts()).toEqual(['0', undefined])
  const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
  await get(owner, `&forceUpdate=eip155:31337:${native}`)
  expect(await amounts()).toEqual(['1', '1'])
})

test('behavior: tokens that lie hide no other token, and cost a bounded number of calls', async () => {
  const good = await deployToken('Good', 'GOOD')
  const long = await deployToken(`G\u202e${'x'.repeat(20)}`, 'LONG')
  const unseen = await deployToken('Unseen', '\u200b\u202e')
  const native = await deployToken('Ether', 'X')
  for (const address of [good, long, unseen, native]) await mint(address, holder())
  const liars = Array.from({ length: 30 }, (_, index) => addressAt(0x30_0000 + index))
  const codes = Object.values(hostile)
  for (const [index, address] of liars.entries())
    await chainRpc('anvil_setCode', [address, codes[index % codes.length]])
  const { get } = await start({ found: [...liars, good, long, unseen, native] })
  const before = proxy.requests()
  const { balances } = await get(holder(), '&chainId=eip155:31337')
  const shown = balances.map(({ symbol }) => symbol)
  expect(shown.slice(0, held.length)).toEqual(held)
  expect(shown.slice(held.length)).toEqual(['GOOD', 'LONG'])
  for (const one of balances.slice(held.length)) expect(one).not.toHaveProperty('value')
  expect(balances.at(-1)?.name).toMatch(/^Gx{20}$/)
  expect(proxy.requests() - before).toBeLessThan(200)
  const known = proxy.requests()
  await get(chains.accounts[1]?.address ?? '', '&chainId=eip155:31337')
  expect(proxy.requests() - known).toBeLessThan(4)
})

test('behavior: 300 tokens take one upstream call, plus four for prices that are not in the cache', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 296 }, async (_, index) => {
      const address = addressAt(0x10_0000 + index)
      if (index % 3 === 0) await chainRpc('anvil_setCode', [address, seven])
      return token(address, `T${index}`)
    }),
  )
  const { get } = await start({ tokens })
  await get(addressAt(1), '&chainId=eip155:31337')
  const before = proxy.requests()
  const { balances } = await get(holder(), '&chainId=eip155:31337')
  expect(proxy.requests() - before).toBe(5)
  expect(balances.length).toBe(held.length + 99)
  expect(balances.at(-1)?.quantity.numeric).toBe('0.000000000000000007')
  const known = proxy.requests()
  await get(chains.accounts[1]?.address ?? '', '&chainId=eip155:31337')
  expect(proxy.requests() - known).toBe(1)
})

test.each(Object.entries(hostile))(
  'behavior: a token that %s breaks nothing else',
  async (name, code) => {
    const address = addressAt(0x20_0000 + Object.keys(hostile).indexOf(name))
    await chainRpc('anvil_setCode', [address, code])
    const { get } = await start({ tokens: [token(address, name)] })
    const { status, balances } = await get(holder(), '&chainId=eip155:31337')
    expect(status).toBe(200)
    expect(balances.map(({ symbol }) => symbol)).toEqual(name === 'huge' ? [...held, 'huge'] : held)
    expect(balances[held.length - 1]?.value).toBe(12_500)
    if (name === 'huge') expect(balances.at(-1)).not.toHaveProperty('value')
  },
)

test('behavior: without Multicall3 the same answer', async () => {
  const plain = await start({ plain: true })
  const { get } = await start()
  const query = '&chainId=eip155:31337'
  expect((await plain.get(holder(), query)).balances).toEqual((await get(holder(), query)).balances)
})

test('error: a node that refuses every call is 503, and asked a bounded number of times', async () => {
  const refusing = await startUpstream(
    honest(31337, { eth_call: new Error('execution timed out') }),
  )
  const tokens = Array.from({ length: 300 }, (_, index) => token(addressAt(index + 99), 'X'))
  const { get } = await start({ tokens, first: refusing.url })
  expect(await get(holder(), '&chainId=eip155:31337')).toMatchObject({ status: 503 })
  await refusing.stop()
  expect(refusing.bodies.length).toBeLessThan(100)
})

test('error: every chain away is 503', async () => {
  const { get } = await start({ first: 'http://127.0.0.1:9', second: 'http://127.0.0.1:9' })
  expect(await get(holder())).toMatchObject({ status: 503, field: 'chainId' })
})

test.each([
  ['0x12', '', 'address'],
  ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', '', 'address'],
  ['0x0000000000000000000000000000000000000001', '&currency=xyz', 'currency'],
  ['0x0000000000000000000000000000000000000001', '&chainId=eip155:999', 'chainId'],
  ['0x0000000000000000000000000000000000000001', '&chainId=', 'chainId'],
  ['0x0000000000000000000000000000000000000001', '&forceUpdate=0x1', 'forceUpdate'],
])('error: %s %s', async (address, query, field) => {
  const { get } = await start()
  expect(await get(address, query)).toMatchObject({ status: 400, field })
})

const holder = () => chains.accounts[0]?.address ?? '0x'

const token = (address: string, symbol: string, decimals = 18) => ({
  chainId: 31337,
  address,
  name: symbol,
  symbol,
  decimals,
})

type Options = {
  tokens?: unknown[]
  first?: string | string[]
  second?: string
  plain?: boolean
  found?: Hex[]
  /** The prices of a day ago. */
  dayPrices?: ReadPrices
}

async function start(options: Options = {}) {
  const { tokens = [], first = proxy.url, second, plain, found, dayPrices } = options
  const own = (['eip155:31337', 'eip155:31338'] as const).flatMap((id) => {
    const { usd, btc, gold, wrappedEther } = chains.addresses[id]
    const chainId = Number(id.slice(7))
    return [
      { ...token(usd, 'dUSD', 6), chainId, name: 'Dev USD' },
      { ...token(btc, 'dBTC', 8), chainId },
      { ...token(gold, 'dGLD'), chainId },
      { ...token(wrappedEther, 'WETH'), chainId },
    ]
  })
  const list = join(folder, `${Math.random()}.json`)
  const broken = [{ chainId: 31337, address: 'x' }, null, token(addressAt(5), 'NFT', 0)]
  await writeFile(list, JSON.stringify({ name: 'Test', tokens: [...own, ...tokens, ...broken] }))
  const chain = (id: 'eip155:31337' | 'eip155:31338', urls: string | string[]) => {
    const { multicall3, uniswapV2Factory, wrappedEther, usd } = chains.addresses[id]
    return {
      name: id,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      upstreams: [urls].flat(),
      ...(!plain && { multicall3 }),
      tokenLists: [list],
      uniswapV2: { factory: uniswapV2Factory, wrappedNative: wrappedEther, usd },
    }
  }
  const now = { ms: 0 }
  const services = makeServices(
    {
      'eip155:31337': chain('eip155:31337', first),
      'eip155:31338': chain('eip155:31338', second ?? chains.urls['eip155:31338']),
    },
    () => now.ms,
  )
  const activity = found && { ...heldActivity([]).activity, readTokens: async () => found }
  const ways = {
    upstreams: createUpstreams(services),
    outbound: createOutbound(services),
    activity,
  }
  const sources = openBalanceSources(services, ways)
  const app = balanceRoutes({ ...sources, ...(dayPrices && { readDayPrices: dayPrices }) })
  const get = async (address: string, query = '') => {
    const response = await app.request(`/v1/account/${address}/balance?projectId=local${query}`)
    const json: unknown = await response.json()
    if (response.ok)
      return { status: response.status, field: '', ...accountBalanceRoute.result.parse(json) }
    const { reasons } = json as { reasons: { field: string }[] }
    return {
      status: response.status,
      field: reasons[0]?.field,
      balances: [],
      unavailable: undefined,
    }
  }
  const portfolio = async (address: string, query: string): Promise<unknown> =>
    (await app.request(`/v1/account/${address}/portfolio?projectId=local${query}`)).json()
  return { get, portfolio, now }
}

async function deployToken(name: string, symbol: string): Promise<Hex> {
  const { abi, bytecode } = readArtifact('DevToken')
  return (await send({ data: encodeDeployData({ abi, bytecode, args: [name, symbol, 18] }) }))
    .contractAddress
}

function mint(to: Hex, owner: string) {
  const args = [owner as Hex, 5n * 10n ** 18n] as const
  return send({ to, data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args }) })
}

async function send(transaction: object): Promise<{ contractAddress: Hex }> {
  const from = chains.accounts[3]?.address
  const hash = await chainRpc('eth_sendTransaction', [{ from, gas: '0x5b8d80', ...transaction }])
  const receipt = async () =>
    (await chainRpc('eth_getTransactionReceipt', [hash])) as { contractAddress: Hex } | null
  await expect.poll(receipt).toMatchObject({ status: '0x1' })
  return (await receipt()) ?? { contractAddress: '0x' }
}

async function chainRpc(
  method: string,
  params: unknown[],
  chainId: 'eip155:31337' | 'eip155:31338' = 'eip155:31337',
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chains.urls[chainId], { method: 'POST', headers, body })
  const answer = (await response.json()) as { result?: unknown }
  expect(answer).not.toHaveProperty('error')
  return answer.result
}

/** A proxy in front of a chain that counts its requests. */
async function countRequests(url: string) {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    let body = ''
    for await (const chunk of request) body += chunk
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    response.setHeader('content-type', 'application/json')
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
