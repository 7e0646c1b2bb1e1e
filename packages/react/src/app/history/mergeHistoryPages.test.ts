import type { HistoryPage } from '@latchkey/core'
import { expect, test } from 'vitest'
import { mergeHistoryPages } from './mergeHistoryPages.ts'

const PAGE = 50

const transaction = (id: string): HistoryPage['transactions'][number] => ({
  id,
  metadata: {
    operationType: 'send',
    hash: id,
    minedAt: '2026-03-05T10:00:00Z',
    sentFrom: '',
    sentTo: '',
    status: 'confirmed',
    nonce: 0,
    chain: 'eip155:31337',
  },
  transfers: [],
})

/** Pages of a server that cuts `ids` every 50, as far as they are loaded. */
function pagesOf(ids: readonly string[], loaded = Number.POSITIVE_INFINITY): HistoryPage[] {
  const count = Math.min(loaded, Math.max(1, Math.ceil(ids.length / PAGE)))
  return Array.from({ length: count }, (_, index) => ({
    transactions: ids.slice(index * PAGE, (index + 1) * PAGE).map(transaction),
    next: ids.length > (index + 1) * PAGE ? ids[(index + 1) * PAGE - 1] : undefined,
    sync: undefined,
  }))
}
const firstPage = (ids: readonly string[]) => pagesOf(ids, 1)[0] as HistoryPage
const idsOf = (pages: readonly HistoryPage[] | undefined) =>
  pages?.flatMap(({ transactions }) => transactions.map(({ id }) => id))
const numbers = (count: number, name = 'old') =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`)

test('default: new rows are on top, later pages and the next cursor stay', () => {
  const old = numbers(200)
  const now = [...numbers(3, 'new'), ...old]
  const pages = mergeHistoryPages(pagesOf(old, 3), firstPage(now))
  expect(idsOf(pages)).toEqual(now.slice(0, 153))
  expect(pages?.at(-1)?.next).toBe('old 149')
})

test('behavior: what was taken back goes', () => {
  const old = numbers(120)
  const now = ['new', ...old.slice(2)]
  expect(idsOf(mergeHistoryPages(pagesOf(old, 2), firstPage(now)))).toEqual([
    'new',
    ...old.slice(2, 100),
  ])
})

test('behavior: a gap means that all must be read again', () => {
  const old = numbers(120)
  expect(
    mergeHistoryPages(pagesOf(old, 2), firstPage([...numbers(50, 'new'), ...old])),
  ).toBeUndefined()
  expect(
    mergeHistoryPages(pagesOf(old, 2), { ...firstPage(old), transactions: [] }),
  ).toBeUndefined()
})

test('behavior: a page that holds everything is everything', () => {
  expect(idsOf(mergeHistoryPages(pagesOf(numbers(120), 3), firstPage(['a', 'b'])))).toEqual([
    'a',
    'b',
  ])
  expect(idsOf(mergeHistoryPages([], firstPage(['a'])))).toEqual(['a'])
})

test('behavior: after any number of blocks no row is twice or missing, and pages stay as few', () => {
  let ids = numbers(400)
  let pages: readonly HistoryPage[] = pagesOf(ids, 4)
  let shown = 200
  for (let block = 1; block <= 300; block++) {
    const fresh = numbers(block % 7, `block ${block}`)
    ids = [...fresh, ...ids]
    shown += fresh.length
    const merged = mergeHistoryPages(pages, firstPage(ids))
    expect(merged).toBeDefined()
    pages = merged ?? []
    expect(idsOf(pages)).toEqual(ids.slice(0, shown))
    expect(pages.at(-1)?.next).toBe('old 199')
  }
  expect(pages.length).toBeLessThanOrEqual(Math.ceil(shown / PAGE) + 1)
})
