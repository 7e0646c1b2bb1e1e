import { type SimulatedChange, simulateCallsRoute } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pricedChain, startPriced } from '../../test/startPriced.ts'
import { nativeAddress } from '../evm/address.ts'
import type { Quote } from '../prices/price.ts'
import { addPrices } from './addPrices.ts'
import type { PriceSources } from './readListedPrices.ts'

const chainId = pricedChain
const from = mnemonicToAccount(
  'test test test test test test test test test test test junk',
).address
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const token = '0x7777777777777777777777777777777777777777'

let priced: Awaited<ReturnType<typeof startPriced>>
beforeAll(async () => {
  priced = await startPriced()
})
afterAll(() => priced?.stop())

const transfer = (to: Hex, amount: bigint) => ({
  to,
  value: '0x0',
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, amount] }),
})

/** The response of the frame's server, with prices only if it has any. */
async function ask(calls: readonly object[]) {
  const { frameUrl } = priced.server
  const response = await fetch(`${frameUrl}${simulateCallsRoute.path}`, {
    method: 'POST',
    headers: { origin: frameUrl, 'content-type': 'application/json' },
    body: JSON.stringify({ chainId, from, calls }),
  })
  expect(response.status).toBe(200)
  return simulateCallsRoute.result.parse(await response.json())
}

test('default: native currency and listed tokens have a price; unlisted tokens do not, even with pools', async () => {
  const { usd, gold } = priced.chains.addresses[chainId]
  const calls = [
    { to: other, value: numberToHex(5n), data: '0x' },
    transfer(usd, 7n),
    transfer(gold, 9n),
  ]
  expect((await ask(calls)).outcomes).toMatchObject([{ status: 'done', changes: [{}, {}, {}] }])
  // An answer does not wait for slow prices, which the first ones may be on a busy machine.
  const prices = async () => (await ask(calls)).prices
  await expect.poll(prices).toEqual([
    { token: null, usd: expect.closeTo(3000, 1) },
    { token: usd.toLowerCase(), usd: 1 },
  ])
})

test('behavior: what does not change hands has no price', async () => {
  const { usd, gold } = priced.chains.addresses[chainId]
  await expect.poll(async () => (await ask([transfer(usd, 7n)])).prices).toHaveLength(1)
  expect(await ask([transfer(gold, 9n)])).not.toHaveProperty('prices')
})

const changed = (...changes: SimulatedChange[]) =>
  Promise.resolve({
    asked: 1,
    outcomes: [{ status: 'done' as const, isComplete: true, changes, allowances: [] }],
  })
const quote = (price: bigint): Quote => ({ price, seenAtMs: 0, source: 'outside' })
const sources = (readPrices: PriceSources['readPrices']): PriceSources => ({
  getListed: async () => ({
    tokens: new Map([[token, { address: token, name: 'Token', symbol: 'TKN', decimals: 6 }]]),
    knownNames: new Set(),
  }),
  readPrices,
})
const paid = { token: null, id: null, amount: '-5' }
const got = { token, id: null, amount: '5' } as const

test('behavior: a price that takes too long is left out, and those that are there stand', async () => {
  const slow = sources(({ tokens }) =>
    tokens.includes(nativeAddress)
      ? Promise.resolve([quote(3n * 10n ** 18n)])
      : new Promise(() => {}),
  )
  const simulating = changed(paid, got)
  const answer = await addPrices(slow, { chainId, targets: [], simulating, maxMs: 20 })
  expect(answer).toEqual({ ...(await simulating), prices: [{ token: null, usd: 3 }] })
})

test('param: likely prices are read during the simulation', async () => {
  const asked: (readonly string[])[] = []
  let finish = () => {}
  const simulating = new Promise<void>((resolve) => {
    finish = resolve
  }).then(() => changed(got))
  const reading = sources(async ({ tokens }) => {
    asked.push(tokens)
    finish()
    return tokens.map(() => quote(10n ** 18n))
  })
  const targets = [token.toUpperCase().replace('X', 'x'), other]
  const answer = addPrices(reading, { chainId, targets, simulating })
  expect((await answer).prices).toEqual([{ token, usd: 1 }])
  expect(asked).toEqual([[nativeAddress, token]])
})

test('error: without a list, and with prices of nothing, the answer has no prices and is what it was', async () => {
  const broken = {
    ...sources(async () => []),
    getListed: () => Promise.reject(new Error('no list')),
  }
  const simulating = changed(paid, got)
  for (const given of [broken, sources(async ({ tokens }) => tokens.map(() => quote(0n)))])
    expect(await addPrices(given, { chainId, targets: [], simulating })).toEqual(await simulating)
})

test('error: an item of a collection has no price, even if a token at the same address has a price', async () => {
  const all = sources(async ({ tokens }) => tokens.map(() => quote(10n ** 18n)))
  const simulating = changed({ token, id: '1', amount: '1' })
  expect(await addPrices(all, { chainId, targets: [token], simulating })).not.toHaveProperty(
    'prices',
  )
})
