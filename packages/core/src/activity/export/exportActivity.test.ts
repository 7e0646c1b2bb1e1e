import { afterEach, expect, test, vi } from 'vitest'
import { alice } from '../../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../../test/server.ts'
import { openApp } from '../../../test/tab.ts'
import { latchkeyOne } from '../../networks.ts'
import { type ExportProgress, exportActivity } from './exportActivity.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const row = (id: string, transfers: object[] = [], minedAt = '2026-03-05T10:00:00Z') => ({
  id,
  metadata: {
    ...{ operationType: 'send', hash: id, minedAt, sentFrom: alice },
    ...{ sentTo: alice, status: 'confirmed', nonce: 1, chain: 'eip155:31337' },
  },
  transfers,
})
type Page = { data: ReturnType<typeof row>[]; next: string | null; sync?: object }
type Prices = (address: string, year: string) => { atMs: number; price: number }[] | undefined

/** The export of an account whose pages are returned by their cursors. */
async function start(
  getPage: (cursor: string | null) => Page,
  signal = new AbortController().signal,
  getPrices?: Prices,
) {
  server = await startServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://server')
    if (pathname === '/v1/fungible/history') {
      const { address = '', period = '' } = Object.fromEntries(searchParams)
      const points = getPrices?.(address, period)
      return json(response, { points }, { status: points ? 200 : 503 })
    }
    if (pathname.endsWith('/history')) return json(response, getPage(searchParams.get('cursor')))
    const areas = getPrices && {
      activity: { on: true, source: 'rpc' },
      prices: { on: true, source: 'pools' },
    }
    json(response, {
      ...{ http: ['eip155:31337'], ws: [] },
      features: { 'eip155:31337': areas ?? {} },
    })
  })
  const now = () => Date.parse('2026-11-28T23:00:00Z')
  const app = openApp({ fetch: globalThis.fetch, now }, { apiUrl: server.url })
  const counts: number[] = []
  const onProgress = ({ step, count }: ExportProgress) => {
    if (step === 'transactions') counts.push(count)
  }
  const file = exportActivity(app, { address: alice, network: latchkeyOne, signal, onProgress })
  return { file, counts }
}
const cursors = () =>
  server?.calls.flatMap(({ url }) =>
    url.includes('/history') ? [new URL(url, 'http://server').searchParams.get('cursor')] : [],
  )

test('default: all pages, each transaction once, in a file with the network and the date', async () => {
  const { file, counts } = await start((cursor) =>
    cursor === null
      ? { data: [row('a'), row('b')], next: 'b' }
      : { data: [row('b'), row('c')], next: null },
  )
  const { content, ...facts } = await file
  expect(facts).toEqual({
    ...{ name: 'activity-latchkey-one-2026-11-28.csv', count: 3 },
    ...{ isCut: false, isSearching: false, isWorthMissing: false, isWorthCut: false },
  })
  expect(content.split('\r\n').length).toBe(5)
  expect(counts).toEqual([2, 3])
})

test('behavior: at most 10,000 transactions, and the file reports that it is cut', async () => {
  const { file } = await start((cursor) => {
    const from = Number(cursor ?? 0)
    const data = Array.from({ length: 4_000 }, (_, index) => row(`t${from + index}`))
    return { data, next: String(from + 4_000) }
  })
  expect(await file).toMatchObject({ count: 10_000, isCut: true })
  expect(cursors()).toEqual([null, '4000', '8000'])
})

test('behavior: while the server searches, the end of its list is requested once', async () => {
  const sync = { complete: false, progress: 0.5, since: null }
  const { file } = await start((cursor) =>
    cursor === null
      ? { data: [row('a')], next: 'floor', sync }
      : { data: [], next: 'deeper floor', sync },
  )
  expect(await file).toMatchObject({ count: 1, isSearching: true, isCut: false })
  expect(cursors()).toEqual([null, 'floor'])
})

test('param: signal', async () => {
  const controller = new AbortController()
  const { file } = await start(() => {
    controller.abort()
    return { data: [row('a')], next: 'more' }
  }, controller.signal)
  await expect(file).rejects.toMatchObject({ code: 'ABORTED' })
})

test('behavior: the worth is the nearest price within a day of the transaction, otherwise it is empty', async () => {
  const gold = 'eip155:31337:0xaa'
  const moved = (symbol: string, more: object = {}, is_listed = true) => [
    {
      fungible_info: { name: symbol, symbol, is_listed },
      direction: 'in',
      quantity: { numeric: '2' },
      ...more,
    },
  ]
  const day = (date: string, price: number) => ({ atMs: Date.parse(`${date}T00:00:00Z`), price })
  const asked: string[] = []
  const rows = [
    row('near', moved('ETH')),
    row('evening', moved('ETH'), '2026-03-05T23:00:00Z'),
    row('far', moved('ETH'), '2026-03-08T10:00:00Z'),
    row('token', moved('GLD', { address: gold })),
    row('earlier', moved('ETH'), '2025-03-05T10:00:00Z'),
    row('known', moved('ETH', { value: 7 })),
    row('unlisted', moved('FREE', { address: 'eip155:31337:0xbb' }, false)),
  ]
  const { file } = await start(
    () => ({ data: rows, next: null }),
    undefined,
    (address, year) => {
      asked.push(`${address} ${year}`)
      if (address === gold) return [day('2026-03-05', 0.5)]
      return year === '2026' ? [day('2026-03-05', 100), day('2026-03-06', 120)] : []
    },
  )
  const { content, isWorthMissing } = await file
  const worths = content
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[6])
  expect(worths).toEqual(['200.00', '240.00', '', '1.00', '', '7.00', ''])
  expect(isWorthMissing).toBe(false)
  expect(asked.sort()).toEqual([
    'eip155:31337:0xaa 2026',
    'eip155:31337:native 2025',
    'eip155:31337:native 2026',
  ])
})

test('error: prices that cannot be read leave the worth empty, and the file reports it', async () => {
  const coin = { fungible_info: { name: 'E', symbol: 'ETH' }, direction: 'out' }
  const rows = [row('a', [{ ...coin, quantity: { numeric: '1' } }])]
  const { file } = await start(
    () => ({ data: rows, next: null }),
    undefined,
    () => undefined,
  )
  expect(await file).toMatchObject({ count: 1, isWorthMissing: true, isWorthCut: false })
})

test('behavior: with too many tokens, the file reports that prices are left out, and no failure', async () => {
  const rows = Array.from({ length: 301 }, (_, index) =>
    row(`t${index}`, [
      {
        fungible_info: { name: 'T', symbol: 'T', is_listed: true },
        ...{ direction: 'in', quantity: { numeric: '1' }, address: `eip155:31337:${index}` },
      },
    ]),
  )
  const getPrices = vi.fn(() => [])
  const { file } = await start(() => ({ data: rows, next: null }), undefined, getPrices)
  expect(await file).toMatchObject({ isWorthMissing: false, isWorthCut: true })
  expect(getPrices).toHaveBeenCalledTimes(300)
})
