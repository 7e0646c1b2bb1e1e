import { expect, test } from 'vitest'
import type { ReadPrices } from '../openPrices.ts'
import { priceScale, type Quote } from '../price.ts'
import { addPriceChanges } from './addPriceChanges.ts'

const chainId = 'eip155:31337'

test.each<[string, Quote | undefined, Quote | undefined, number | undefined]>([
  ['higher', quote(3_150), quote(3_000, 'recorded'), 5],
  ['lower, with two digits', quote(2_999), quote(3_000, 'recorded'), -0.03],
  ['the same', quote(3_000), quote(3_000, 'recorded'), 0],
  ['of the outside source', quote(2, 'outside'), quote(1, 'outside'), 100],
  ['of another source', quote(2, 'outside'), quote(1, 'recorded'), undefined],
  ['unknown before', quote(3_000), undefined, undefined],
  ['nothing before', quote(3_000), quote(0, 'recorded'), undefined],
])('default: a price that is %s', async (_, now, before, change) => {
  const [result] = await read({ readPrices: always(now), readDayPrices: always(before) })
  expect(result?.price).toBe(now?.price)
  expect(result?.change).toBe(change)
})

test('behavior: a token without a price has no change', async () => {
  const readers = { readPrices: always(undefined), readDayPrices: always(quote(1, 'recorded')) }
  expect(await read(readers)).toEqual([undefined])
})

test('behavior: earlier prices that are late are not awaited', async () => {
  const readDayPrices = () => new Promise<never>(() => {})
  expect(await read({ readPrices: always(quote(3_000)), readDayPrices })).toEqual([quote(3_000)])
})

const read = (readers: Parameters<typeof addPriceChanges>[0]) =>
  addPriceChanges(readers)({ chainId, tokens: ['0x01'] })

const always =
  (found: Quote | undefined): ReadPrices =>
  async ({ tokens }) =>
    tokens.map(() => found)

function quote(dollars: number, source: Quote['source'] = 'uniswap-v2'): Quote {
  return { price: BigInt(dollars) * priceScale, seenAtMs: 0, source }
}
