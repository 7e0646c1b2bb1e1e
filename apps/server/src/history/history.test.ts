import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chains, sendMany, startChains } from '@latchkey/dev'
import {
  type ActivityEvent,
  accountHistoryRoute,
  activityEvent,
  activityEventsPath,
  type HistoryTransaction,
} from '@latchkey/wire'
import { encodeFunctionData, getAddress, parseAbi, toHex } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { rpc } from '../../test/startActivity.ts'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'

const chainId = 'eip155:31337'
const count = 10_000
/** Less is dust, which is not listed. */
const value = 10n ** 12n
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
])

let chains: Chains
let server: TestServer

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
  const file = join(await makeTestDir(), 'chains.json')
  const { multicall3, usd } = chains.addresses[chainId]
  const tokens = [{ chainId: 31337, address: usd, name: 'Dev USD', symbol: 'dUSD', decimals: 6 }]
  await writeFile(join(file, '../tokens.json'), JSON.stringify({ name: 'Test', tokens }))
  const chain = {
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [url()],
    multicall3,
    tokenLists: ['tokens.json'],
    activity: { fromBlock: 0 },
  }
  await writeFile(file, JSON.stringify({ chains: { [chainId]: chain } }))
  server = await startTestServer({
    CHAINS_FILE: file,
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_PER_SECOND: '1000000',
  })
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
})

const url = () => chains.urls[chainId]
const accountAt = (index: number) => chains.accounts[index]?.address ?? '0x'

test('default: a transfer is announced on the socket and is in the history', async () => {
  const [from, to] = [accountAt(3), accountAt(4)]
  const { next } = await listen(to)
  await expect.poll(() => page(to).then(({ sync }) => sync?.complete)).toBe(true)
  const { usd } = chains.addresses[chainId]
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 1_500_001n] })
  const changed = next('changed')
  const hash = await rpc(url(), 'eth_sendTransaction', [{ from, to: usd, data }])
  await changed
  const newest = () => page(to).then((answer) => answer.data[0])
  await expect.poll(newest).toMatchObject({
    id: `${chainId}:${hash}`,
    metadata: { operationType: 'receive', hash, sentFrom: getAddress(from), chain: chainId },
    transfers: [
      {
        direction: 'in',
        quantity: { numeric: '1.500001' },
        fungible_info: { name: 'Dev USD', symbol: 'dUSD' },
      },
    ],
  })
})

test('default: an approval and its revocation have their token, spender and amount', async () => {
  const [from, spender] = [accountAt(5), getAddress(accountAt(6))]
  const { usd } = chains.addresses[chainId]
  for (const amount of [1_500_000n, 2n ** 256n - 1n, 0n]) {
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
    await rpc(url(), 'eth_sendTransaction', [{ from, to: usd, data }])
  }
  const found = async () =>
    (await page(from)).data.map(({ metadata: { operationType, approval } }) => [
      operationType,
      approval?.token.symbol,
      approval?.spender,
      approval?.isUnlimited ? 'all' : approval?.amount,
    ])
  await expect.poll(found).toEqual([
    ['revoke', 'dUSD', spender, '0'],
    ['approve', 'dUSD', spender, 'all'],
    ['approve', 'dUSD', spender, '1.5'],
  ])
})

test('behavior: the first client of an account pages through its whole history, and gets no end before it', async () => {
  const [from, to] = [accountAt(2), '0x00000000000000000000000000000000000000bb'] as const
  const head = Number(await rpc<string>(url(), 'eth_blockNumber', []))
  await sendMany({ url: url(), from, count: 18, perBlock: 3, payment: () => ({ to, value }) })
  const first = await page(to)
  const found = [...first.data]
  for (let { next } = first; next !== null; ) {
    const later = await page(to, next)
    found.push(...later.data)
    next = later.next
  }
  expect(found.map(({ metadata }) => metadata.hash)).toEqual(await hashesFrom(head + 1))
})

test('behavior: 10 000 transactions paged to the end without gap or duplicate while new blocks arrive', async () => {
  const [from, to] = [accountAt(1), '0x00000000000000000000000000000000000000aa'] as const
  const head = Number(await rpc<string>(url(), 'eth_blockNumber', []))
  await sendMany({ url: url(), from, count, perBlock: 1_000, payment: () => ({ to, value }) })
  // Blocks that a busy node did not return are requested again after one and after two minutes.
  await expect
    .poll(() => page(to).then(({ sync }) => sync), { timeout: 240_000, interval: 500 })
    .toMatchObject({ complete: true })
  const mined = Number(await rpc<string>(url(), 'eth_blockNumber', []))
  const truth = await hashesFrom(head + 1)
  expect(truth.length).toBe(count)
  const found: HistoryTransaction[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    const { data, next }: Awaited<ReturnType<typeof page>> = await page(to, cursor)
    found.push(...data)
    cursor = next
    // The first page has been returned. Later blocks must not shift the next page.
    if (pages % 20 === 0)
      await rpc(url(), 'eth_sendTransaction', [{ from, to, value: toHex(value) }])
  }
  expect(found.map(({ metadata }) => metadata.hash)).toEqual(truth)
  expect(new Set(found.map(({ id }) => id)).size).toBe(count)
  const newest = await hashesFrom(mined + 1)
  expect(newest.length).toBe(10)
  await expect
    .poll(
      () => page(to).then(({ data }) => data.slice(0, 10).map(({ metadata }) => metadata.hash)),
      {
        timeout: 60_000,
      },
    )
    .toEqual(newest)
})

/**
 * The chain's own transactions from a block on, newest first. In this test all of them concern the
 * account.
 */
async function hashesFrom(block: number): Promise<string[]> {
  const head = Number(await rpc<string>(url(), 'eth_blockNumber', []))
  const blocks = Array.from({ length: head - block + 1 }, (_, at) =>
    rpc<{ transactions: string[] }>(url(), 'eth_getBlockByNumber', [
      `0x${(block + at).toString(16)}`,
      false,
    ]),
  )
  return (await Promise.all(blocks)).flatMap(({ transactions }) => transactions).reverse()
}

async function page(address: string, cursor = '') {
  const query = `projectId=local&chainId=${chainId}${cursor && `&cursor=${cursor}`}`
  const response = await fetch(`${server.url}/v1/account/${address}/history?${query}`)
  return accountHistoryRoute.result.parse(await response.json())
}

async function listen(address: string) {
  const query = `projectId=local&chainId=${chainId}&address=${address}`
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${activityEventsPath}?${query}`)
  const got: ActivityEvent[] = []
  socket.on('message', (data) => got.push(activityEvent.parse(JSON.parse(String(data)))))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const next = async (type: ActivityEvent['type']) => {
    const from = got.length
    await expect.poll(() => got.slice(from).some((event) => event.type === type)).toBe(true)
  }
  return { next }
}
