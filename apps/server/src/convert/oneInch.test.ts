import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChainId } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { nativeAddress } from '../evm/address.ts'
import { createOneInchSource } from './createOneInchSource.ts'

const router = '0x111111125421ca6dc452d289314280a0f8842a65'
const usd = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const user = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const trade = {
  chainId: 'eip155:1' as ChainId,
  from: usd,
  to: nativeAddress,
  amount: 1_000_001n,
} as const
const order = { ...trade, user, slippageBps: 50n, permit: undefined } as const
const tx = { from: user, to: router, data: '0x07ed2379', value: '0', gas: 200_001, gasPrice: '1' }

type Responses = Record<string, { status?: number; body: unknown }>

/** A server with the shapes of the aggregator's documentation. */
async function start(responses: Responses) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    const path = /^\/swap\/v6\.1\/1\/([a-z/]+)/.exec(request.url ?? '')?.[1] ?? ''
    const { status = 200, body } = responses[path] ?? { status: 404, body: {} }
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const services = makeServices({})
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = { ...services.config, swapApi: { url, key: 'secret' } }
  return { source: createOneInchSource({ ...services, config }), asked }
}

const spender = { 'approve/spender': { body: { address: router } } }

test('default: a quote by the key of the operator, gas with a tenth more, rounded up', async () => {
  const { source, asked } = await start({ quote: { body: { dstAmount: '777', gas: 200_001 } } })
  expect(await source.quote(trade)).toEqual({ toAmount: 777n, gas: 220_002n, paths: [] })
  expect(asked[0]?.headers.authorization).toBe('Bearer secret')
  const query = new URL(asked[0]?.url ?? '', 'http://x').searchParams
  expect(Object.fromEntries(query)).toEqual({
    src: usd,
    dst: nativeAddress,
    amount: '1000001',
    includeGas: 'true',
  })
})

test('default: a transaction to the single spender, which is requested once', async () => {
  const { source, asked } = await start({ ...spender, swap: { body: { dstAmount: '1001', tx } } })
  const built = await source.build({ ...order, permit: '0xabcd' })
  expect(built).toMatchObject({
    to: router,
    data: tx.data,
    value: 0n,
    gas: 220_002n,
    minimum: 996n,
  })
  expect(await source.spender(trade.chainId)).toBe(router)
  expect(asked).toHaveLength(2)
  const query = new URL(asked[1]?.url ?? '', 'http://x').searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    from: user,
    origin: user,
    slippage: '0.5',
    permit: '0xabcd',
    disableEstimate: 'true',
  })
})

test.each([
  ['another contract', { ...tx, to: user }],
  ['more of the native currency', { ...tx, value: '1' }],
])('error: a transaction to %s is not passed on', async (_, other) => {
  const { source } = await start({ ...spender, swap: { body: { dstAmount: '1', tx: other } } })
  await expect(source.build(order)).rejects.toMatchObject({ failure: { status: 503 } })
})

test('error: insufficient liquidity is said in the words that clients look for', async () => {
  const refusal = { error: 'Bad Request', description: 'Insufficient liquidity', statusCode: 400 }
  const { source } = await start({ quote: { status: 400, body: refusal } })
  await expect(source.quote(trade)).rejects.toMatchObject({
    failure: {
      status: 400,
      description: 'Conversion parameter error: insufficient liquidity',
    },
  })
})

test.each<[string, { status?: number; body: unknown }]>([
  ['an error of its own', { status: 500, body: {} }],
  ['a wrong key', { status: 401, body: {} }],
  ['nonsense', { body: 'nonsense' }],
  ['a number that is none', { body: { dstAmount: '-1' } }],
  ['megabytes', { body: `"${'x'.repeat(2_000_000)}"` }],
])('error: %s is 503', async (_, answer) => {
  const { source } = await start({ quote: answer })
  await expect(source.quote(trade)).rejects.toMatchObject({ failure: { status: 503 } })
})
