import { afterEach, expect, test } from 'vitest'
import { alice } from '../../test/fakeWallet.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { openApp } from '../../test/tab.ts'
import { latchkeyOne } from '../networks.ts'
import { exportActivity } from './exportActivity.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const row = (id: string) => ({
  id,
  metadata: {
    ...{ operationType: 'send', hash: id, minedAt: '2026-03-05T10:00:00Z', sentFrom: alice },
    ...{ sentTo: alice, status: 'confirmed', nonce: 1, chain: 'eip155:31337' },
  },
  transfers: [],
})
type Page = { data: ReturnType<typeof row>[]; next: string | null; sync?: object }

/** The export of an account whose pages are returned by their cursors. */
async function start(
  getPage: (cursor: string | null) => Page,
  signal = new AbortController().signal,
) {
  server = await startServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://server')
    if (pathname.endsWith('/history')) return json(response, getPage(searchParams.get('cursor')))
    json(response, { http: ['eip155:31337'], ws: [] })
  })
  const now = () => Date.parse('2026-11-28T23:00:00Z')
  const app = openApp({ fetch: globalThis.fetch, now }, { apiUrl: server.url })
  const counts: number[] = []
  const onProgress = (count: number) => counts.push(count)
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
    ...{ isCut: false, isSearching: false },
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
