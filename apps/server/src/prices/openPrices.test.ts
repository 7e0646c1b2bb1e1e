import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Chains, startChains } from '@latchkey/dev'
import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { startFailing } from '../../test/startFailing.ts'
import { nativeAddress } from '../evm/address.ts'
import type { ParsedReply } from '../nodes/readReplies.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { openPrices } from './openPrices.ts'
import { priceScale } from './price.ts'

type Hex = `0x${string}`

const chainId = 'eip155:31337'
const abi = parseAbi([
  'function approve(address, uint256)',
  'function deposit() payable',
  'function swap(address pool, bool zeroForOne, int256 amount, uint160 limit)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
])

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

let chains: Chains
let snapshot: unknown
beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  if (snapshot !== undefined) await rpc('evm_revert', [snapshot])
  snapshot = await rpc('evm_snapshot', [])
})

test('default: by the pools of both exchanges, to the cent', async () => {
  const { usd, btc, gold, eur, wrappedEther } = at()
  const tokens = [nativeAddress, wrappedEther, btc, gold, eur, usd] as const
  const prices = await open({ v2: true, v3: true }).read(tokens)
  expect(prices.map(dollars)).toEqual([3000, 3000, 60_000, 2400, 1.1, 1])
  expect(prices[0]?.seenAtMs).toBe(1_000)
  expect(prices.map((seen) => seen?.source)).toContain('uniswap-v2')
})

test('behavior: Uniswap V3 alone; its thin pool gives no price', async () => {
  const { usd, btc, wrappedEther } = at()
  const prices = await open({ v3: true }).read([wrappedEther, btc, usd])
  expect(prices.map(dollars)).toEqual([3000, undefined, 1])
  expect(prices[0]?.source).toBe('uniswap-v3')
})

test('behavior: a chain without exchanges, a token without a pool, an address that is nothing', async () => {
  const { keys, usd } = at()
  expect(await open({}).read([usd, nativeAddress])).toEqual([undefined, undefined])
  const nothing = `0x${'12'.repeat(20)}` as const
  expect(await open({ v2: true, v3: true }).read([keys, nothing])).toEqual([undefined, undefined])
})

test.each(['v2', 'v3'] as const)(
  'behavior: %s: a price that lasted for only one block does not count',
  async (kind) => {
    const before = open({ [kind]: true })
    expect(dollars((await before.read([nativeAddress]))[0])).toBe(3000)
    await swap(kind, 2_000n)
    before.now.ms += 16_000
    expect(await before.read([nativeAddress])).toEqual([undefined])
    const fresh = open({ [kind]: true })
    expect(await fresh.read([nativeAddress])).toEqual([undefined])
    await rpc('anvil_mine', ['0x2'])
    fresh.now.ms += 16_000
    expect(await fresh.read([nativeAddress])).toEqual([undefined])
    await rpc('anvil_mine', ['0x1'])
    fresh.now.ms += 16_000
    expect(dollars((await fresh.read([nativeAddress]))[0])).toBeLessThan(400)
  },
)

test.each(['v2', 'v3'] as const)(
  'behavior: %s: made again and again, taken back in between, it never counts',
  async (kind) => {
    const { read, now } = open({ [kind]: true })
    for (let round = 0; round < 3; round++) {
      const state = await rpc('evm_snapshot', [])
      await swap(kind, 2_000n)
      expect(await read([nativeAddress])).toEqual([undefined])
      await rpc('evm_revert', [state])
      await rpc('anvil_mine', ['0x1'])
      now.ms += 16_000
      expect(dollars((await read([nativeAddress]))[0])).toBe(3000)
      now.ms += 16_000
    }
  },
)

test.each(['v2', 'v3'] as const)(
  'behavior: %s: a small trade counts at once where the price before it is known',
  async (kind) => {
    const { read, now } = open({ [kind]: true })
    await read([nativeAddress])
    await swap(kind, 10n)
    now.ms += 16_000
    expect(dollars((await read([nativeAddress]))[0])).toBeCloseTo(2941, -1)
    // Another process without any history: the pool's own log shows it, once a log is old enough.
    await rpc('anvil_mine', ['0x4'])
    await swap(kind, 10n)
    expect(dollars((await open({ [kind]: true }).read([nativeAddress]))[0])).toBeCloseTo(2884, -1)
  },
)

test("behavior: after a trade makes another exchange's pool the deepest, the earlier price counts", async () => {
  const { read, now } = open({ v2: true, v3: true })
  const [first] = await read([nativeAddress])
  const sources = new Set([first?.source])
  // Each trade takes dollars out of the deepest pool.
  for (const kind of ['v2', 'v3', 'v2', 'v3', 'v2', 'v3'] as const) {
    await swap(kind, 2n)
    now.ms += 16_000
    const [seen] = await read([nativeAddress])
    expect(dollars(seen)).toBeCloseTo(2990, -2)
    sources.add(seen?.source)
  }
  expect(sources).toEqual(new Set(['uniswap-v2', 'uniswap-v3']))
})

test("behavior: logs of a node that lags behind the pools' node do not count", async () => {
  await swap('v2', 2_000n)
  const number = BigInt((await rpc('eth_blockNumber', [])) as Hex) - 9n
  const behind = `0x${number.toString(16)}`
  const { read } = open({ v2: true, logsOf: [{ result: [] }, { result: behind }] })
  expect(await read([nativeAddress])).toEqual([undefined])
})

test('error: while the node fails, no token is stored as having no price', async () => {
  const failing = await startFailing(chains.urls[chainId])
  stops.push(failing.stop)
  const { read } = open({ v2: true, upstream: failing.url })
  expect(await read([nativeAddress])).toEqual([undefined])
  failing.heal()
  expect((await read([nativeAddress])).map(dollars)).toEqual([3000])
})

test('behavior: on a chain without trades for a minute every price counts', async () => {
  await swap('v2', 2_000n)
  const { read, now } = open({ v2: true })
  const block = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  now.ms = Number(block.timestamp) * 1000 + 59_000
  expect(await read([nativeAddress])).toEqual([undefined])
  now.ms += 16_000
  expect(dollars((await read([nativeAddress]))[0])).toBeLessThan(400)
})

test('param: priceRoutes lead by other tokens', async () => {
  const { gold, wrappedEther, btc } = at()
  const { read } = open({
    v2: true,
    routes: { [gold]: [wrappedEther], [btc]: [gold, wrappedEther] },
  })
  expect((await read([gold, btc])).map(dollars)).toEqual([2400, undefined])
})

test('behavior: many who ask at once wait for one reading, and the next for none', async () => {
  const { read, requests } = open({ v2: true, v3: true })
  const { btc } = at()
  const many = await Promise.all(Array.from({ length: 50 }, () => read([nativeAddress, btc])))
  expect(new Set(many.flat().map(dollars))).toEqual(new Set([3000, 60_000]))
  expect(requests()).toBe(4)
  await read([btc, nativeAddress])
  expect(requests()).toBe(4)
  await read([btc, nativeAddress], 'pass')
  expect(requests()).toBe(7)
})

test('behavior: an outside price counts when the pools are within 10 % of it, or if there are no pools', async () => {
  const { keys, gold } = at()
  const says = { [nativeAddress]: 3200, [gold]: 2400, [keys]: 7 }
  const { read } = open({ v2: true, outside: await startOutside(says) })
  const prices = await read([nativeAddress, gold, keys])
  expect(prices.map(dollars)).toEqual([3200, 2400, 7])
  expect(new Set(prices.map((seen) => seen?.source))).toEqual(new Set(['outside']))
})

test.each([
  ['above', 3400],
  ['below', 2600],
  ['a thousandth', 3],
])(
  'behavior: an outside price %s the pools takes the price away, and no other',
  async (_, price) => {
    const { gold } = at()
    const outside = await startOutside({ [nativeAddress]: price, [gold]: 2400 })
    const { read } = open({ v2: true, outside })
    expect((await read([nativeAddress, gold])).map(dollars)).toEqual([undefined, 2400])
  },
)

test('behavior: an outside price neither confirms pools that moved within a block, nor is spoiled by them', async () => {
  const { wrappedEther } = at()
  await swap('v2', 2_000n)
  const { read } = open({ v2: true, outside: await startOutside({ [wrappedEther]: 3000 }) })
  expect((await read([wrappedEther, nativeAddress])).map(dollars)).toEqual([3000, undefined])
})

test('error: an outside source that is away leaves the pools', async () => {
  const { read } = open({ v2: true, outside: 'http://127.0.0.1:9' })
  const [seen] = await read([nativeAddress])
  expect([dollars(seen), seen?.source]).toEqual([3000, 'uniswap-v2'])
})

test('error: a chain that is away has no prices', async () => {
  const { read } = open({ v2: true, upstream: 'http://127.0.0.1:9' })
  expect(await read([nativeAddress])).toEqual([undefined])
})

const at = () => chains.addresses[chainId]
const dollars = (seen: { price: bigint } | undefined) =>
  seen && Number((seen.price * 100n + priceScale / 2n) / priceScale) / 100

type Options = {
  v2?: boolean
  v3?: boolean
  routes?: Record<string, string[]>
  upstream?: string
  outside?: string
  /** A node's reply to a request for logs. */
  logsOf?: ParsedReply[]
}

function open({ v2 = false, v3 = false, routes, outside, upstream, logsOf }: Options) {
  const { wrappedEther, usd, uniswapV2Factory, uniswapV3Factory, multicall3 } = at()
  const paid = { wrappedNative: wrappedEther, usd }
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [upstream ?? chains.urls[chainId]],
    multicall3,
    priceSourceChain: 'dev',
    ...(v2 && { uniswapV2: { factory: uniswapV2Factory, ...paid } }),
    ...(v3 && { uniswapV3: { factory: uniswapV3Factory, ...paid } }),
    ...(routes && { priceRoutes: routes }),
  }
  const now = { ms: 1_000 }
  const services = makeServices({ [chainId]: chain }, () => now.ms)
  const upstreams = createUpstreams(services)
  let requests = 0
  const counted: typeof upstreams = {
    ...upstreams,
    read(id, calls) {
      requests++
      if (logsOf && calls[0]?.method === 'eth_getLogs') return Promise.resolve({ replies: logsOf })
      return upstreams.read(id, calls)
    },
  }
  const config = { ...services.config, priceSourceUrl: outside }
  const readPrices = openPrices({ ...services, config, upstreams: counted })
  const read = (tokens: readonly Hex[], cache: 'use' | 'pass' = 'use') =>
    readPrices({ chainId: chainId as ChainId, tokens, cache })
  return { read, now, requests: () => requests }
}

/** An outside source with these prices. */
async function startOutside(prices: Record<string, number>) {
  const coins = Object.entries(prices).map(([address, price]) => {
    const token = address === nativeAddress ? `0x${'0'.repeat(40)}` : address
    return [`dev:${token}`, { price, timestamp: 1, confidence: 0.99 }]
  })
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ coins: Object.fromEntries(coins) })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sells whole ether for dollars. */
async function swap(kind: 'v2' | 'v3', ether: bigint) {
  const { wrappedEther, usd, uniswapV2Router, uniswapV3Pool, liquidity } = at()
  const amount = ether * 10n ** 18n
  const from = chains.accounts[1]?.address ?? ''
  const spender = kind === 'v2' ? uniswapV2Router : liquidity
  await send(from, wrappedEther, encodeFunctionData({ abi, functionName: 'deposit' }), amount)
  const approve = [spender, amount] as const
  await send(
    from,
    wrappedEther,
    encodeFunctionData({ abi, functionName: 'approve', args: approve }),
  )
  if (kind === 'v2') {
    const path = [wrappedEther, usd]
    const args = [amount, 0n, path, from as Hex, 2n ** 64n] as const
    const data = encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args })
    return send(from, uniswapV2Router, data)
  }
  const first = BigInt(wrappedEther) < BigInt(usd)
  const limit = first ? 4295128740n : 1461446703485210103287273052203988822378723970341n
  const args = [uniswapV3Pool, first, amount, limit] as const
  await send(from, liquidity, encodeFunctionData({ abi, functionName: 'swap', args }))
}

async function send(from: string, to: string, data: Hex, value = 0n) {
  const hash = await rpc('eth_sendTransaction', [
    { from, to, data, value: `0x${value.toString(16)}`, gas: '0x4c4b40' },
  ])
  const receipt = async () =>
    (await rpc('eth_getTransactionReceipt', [hash])) as { status: string } | null
  await expect.poll(receipt).toMatchObject({ status: '0x1' })
}

async function rpc(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chains.urls[chainId], { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result: unknown; error?: unknown }
  expect(error).toBeUndefined()
  return result
}
