import { type Chains, startChains } from '@latchkey/dev'
import { type ChainId, gasPriceRoute } from '@latchkey/wire'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { rpc } from '../../test/startActivity.ts'
import { startFailing } from '../../test/startFailing.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { gasRoutes } from './routes.ts'

let chains: Chains

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
})
afterAll(() => chains?.stop())

const gwei = (amount: number) => BigInt(Math.round(amount * 1e9))
const hex = (wei: bigint) => `0x${wei.toString(16)}`

test('default: on every served EVM network, enough for a transaction to be mined', async () => {
  for (const chainId of ['eip155:31337', 'eip155:31338'] as const) {
    const url = chains.urls[chainId]
    const { status, prices } = await start({ [chainId]: [url] }, chainId)
    expect(status).toBe(200)
    const { standard, fast, instant } = prices
    expect([standard <= fast, fast <= instant]).toEqual([true, true])
    const [from, to] = [chains.accounts[5]?.address, chains.accounts[6]?.address]
    const sent = { from, to, value: '0x1', gas: '0x5208', gasPrice: hex(standard) }
    const hash = await rpc<string>(url, 'eth_sendTransaction', [sent])
    await expect
      .poll(() => rpc(url, 'eth_getTransactionReceipt', [hash]))
      .toMatchObject({ status: '0x1' })
  }
})

test('behavior: the base fee with room to rise and what others paid on top, never below the plain price', async () => {
  const reward = [1, 2, 9].map((tip) => [hex(gwei(tip)), hex(gwei(tip + 1)), hex(gwei(tip + 2))])
  const history = { baseFeePerGas: [gwei(50), gwei(100)].map(hex), reward }
  const { prices } = await startNode({ eth_gasPrice: hex(gwei(101)), eth_feeHistory: history })
  expect(prices).toEqual({ standard: gwei(115), fast: gwei(130), instant: gwei(165) })
  const low = await startNode({ eth_gasPrice: hex(gwei(200)), eth_feeHistory: history })
  expect(low.prices).toEqual({ standard: gwei(200), fast: gwei(230), instant: gwei(260) })
})

test('behavior: on Polygon no client is offered a smaller tip than its nodes accept', async () => {
  const reward = [[1, 2, 30].map((tip) => hex(gwei(tip)))]
  const history = { baseFeePerGas: [hex(gwei(100))], reward }
  const node = await startUpstream(honest(137, { eth_gasPrice: '0x1', eth_feeHistory: history }))
  onTestFinished(node.stop)
  const { prices } = await start({ 'eip155:137': [node.url] }, 'eip155:137')
  expect(prices).toEqual({ standard: gwei(138), fast: gwei(152), instant: gwei(191) })
})

test('behavior: without base fees, uses the plain gas price; without a plain gas price, uses the history', async () => {
  const none = new Error('the method eth_feeHistory does not exist')
  const old = await startNode({ eth_gasPrice: hex(gwei(5)), eth_feeHistory: none })
  expect(old.prices).toEqual({ standard: gwei(5), fast: gwei(5.75), instant: gwei(6.5) })
  const history = { baseFeePerGas: [hex(gwei(10))], reward: [['0x0', '0x0', '0x0']] }
  const only = await startNode({ eth_gasPrice: none, eth_feeHistory: history })
  expect(only.prices.standard).toBe(gwei(11.3))
})

test('error: nodes without a useful answer are 503, unless a second, healthy node answers', async () => {
  const broken = { eth_gasPrice: new Error('boom'), eth_feeHistory: new Error('boom') }
  expect(await startNode(broken)).toMatchObject({ status: 503, field: 'chainId' })
  const failing = await startFailing(chains.urls['eip155:31337'])
  onTestFinished(failing.stop)
  const urls = [failing.url, chains.urls['eip155:31337']]
  expect(await start({ 'eip155:31337': urls }, 'eip155:31337')).toMatchObject({ status: 200 })
})

test.each([
  ['eip155:999', 'chainId'],
  ['', 'chainId'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'chainId'],
])('error: chainId %s is 400', async (asked, field) => {
  const served = { 'eip155:1': [], 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': [] }
  expect(await start(served, asked)).toMatchObject({ status: 400, field })
})

test('error: another network than an EVM network is refused in the words that clients look for', async () => {
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const { description } = await start({ [solana]: [] }, solana)
  expect(description).toMatch(/^Network not supported for Gas Price/)
})

async function startNode(results: Record<string, unknown>) {
  const node = await startUpstream(honest(1, results))
  onTestFinished(node.stop)
  return start({ 'eip155:1': [node.url] })
}

async function start(upstreams: Record<string, string[]>, asked = 'eip155:1') {
  const services = makeServices(
    Object.fromEntries(
      Object.entries(upstreams).map(([id, urls]) => [id, chainWith(urls)]),
    ) as Record<ChainId, ReturnType<typeof chainWith>>,
  )
  const app = gasRoutes(services, createUpstreams(services))
  const response = await app.request(`/v1/convert/gas-price?projectId=local&chainId=${asked}`)
  const json = (await response.json()) as {
    reasons?: { field: string; description: string }[]
  }
  if (!response.ok)
    return {
      status: response.status,
      field: json.reasons?.[0]?.field,
      description: json.reasons?.[0]?.description,
      prices: { standard: 0n, fast: 0n, instant: 0n },
    }
  const { standard, fast, instant } = gasPriceRoute.result.parse(json)
  const prices = { standard: BigInt(standard), fast: BigInt(fast), instant: BigInt(instant) }
  return { status: response.status, field: undefined, description: undefined, prices }
}
