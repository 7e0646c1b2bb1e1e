import type { HistoryTransaction } from '@latchkey/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupByMonth } from './groupByMonth.ts'

const transaction = (minedAt: string, id = minedAt): HistoryTransaction => ({
  id,
  metadata: {
    operationType: 'send',
    hash: id,
    minedAt,
    sentFrom: '',
    sentTo: '',
    status: 'confirmed',
    nonce: 0,
    chain: 'eip155:31337',
  },
  transfers: [],
})

const titles = (moments: string[], now: string, timeZone: string, locale = 'en') =>
  groupByMonth(
    moments.map((moment) => transaction(moment)),
    { nowMs: Date.parse(now), timeZone, locale },
  ).map(({ key, title, transactions }) => `${key} ${title} ${transactions.length}`)

test('default: the month alone in the current year, else month and year', () => {
  const moments = [
    '2026-03-05T10:00:00Z',
    '2026-03-01T00:00:00Z',
    '2026-01-31T23:59:59Z',
    '2025-12-31T23:59:59Z',
    '2025-03-02T00:00:00Z',
  ]
  expect(titles(moments, '2026-03-06T00:00:00Z', 'UTC')).toEqual([
    '2026-03 March 2',
    '2026-01 January 1',
    '2025-12 December 2025 1',
    '2025-03 March 2025 1',
  ])
})

test('param: timeZone decides the month and the year', () => {
  const moments = ['2026-01-01T03:00:00Z']
  const now = '2026-01-01T12:00:00Z'
  expect(titles(moments, now, 'UTC')).toEqual(['2026-01 January 1'])
  expect(titles(moments, now, 'America/New_York')).toEqual(['2025-12 December 2025 1'])
  expect(titles(['2025-12-31T22:00:00Z'], now, 'Asia/Tokyo')).toEqual(['2026-01 January 1'])
  // In Honolulu it is still the old year while the new year has begun elsewhere.
  expect(titles(['2025-12-31T22:00:00Z'], '2026-01-01T05:00:00Z', 'Pacific/Honolulu')).toEqual([
    '2025-12 December 1',
  ])
})

test('param: locale', () => {
  const moments = ['2026-03-05T10:00:00Z', '2025-03-02T00:00:00Z']
  expect(titles(moments, '2026-04-01T00:00:00Z', 'UTC', 'de')).toEqual([
    '2026-03 März 1',
    '2025-03 März 2025 1',
  ])
  // Keys stay the same for any calendar and numerals of the titles.
  expect(titles(moments, '2026-04-01T00:00:00Z', 'UTC', 'fa')[1]).toMatch(/^2025-03 .*۱۴۰۳/)
})

test('behavior: an id that two pages bring is one', () => {
  const twice = [transaction('2026-03-05T10:00:00Z', 'a'), transaction('2026-03-05T10:00:00Z', 'a')]
  const [month] = groupByMonth(twice, { nowMs: 0, timeZone: 'UTC', locale: 'en' })
  expect(month?.transactions.length).toBe(1)
})

test('behavior: pending transactions are first, in the current month', () => {
  const pending = transaction('2025-12-31T23:00:00Z', 'pending')
  pending.metadata.status = 'pending'
  const [month] = groupByMonth([transaction('2026-01-02T10:00:00Z', 'mined'), pending], {
    ...{ nowMs: Date.parse('2026-01-03T12:00:00Z'), timeZone: 'UTC', locale: 'en' },
  })
  expect(month?.transactions.map(({ id }) => id)).toEqual(['pending', 'mined'])
  expect(month?.days.map(({ key, near }) => [key, near])).toEqual([
    ['2026-01-03', 'today'],
    ['2026-01-02', 'yesterday'],
  ])
})

test('behavior: a moment that cannot be read counts as now', () => {
  expect(titles(['soon'], '2026-03-06T00:00:00Z', 'UTC')).toEqual(['2026-03 March 1'])
})

const zones = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
]
const moment = fc.oneof(
  fc.date({
    min: new Date('2009-01-03'),
    max: new Date('2040-01-01'),
    noInvalidDate: true,
  }),
  // Around the turn of a year, where zones differ.
  fc
    .tuple(fc.integer({ min: 2010, max: 2039 }), fc.integer({ min: -15 * 3600, max: 15 * 3600 }))
    .map(([year, seconds]) => new Date(Date.UTC(year, 0, 1, 0, 0, seconds))),
)

test('behavior: any list in any zone: nothing is lost, each month is one group, the order stays', () => {
  fc.assert(
    fc.property(
      fc.array(moment, { maxLength: 12 }),
      moment,
      fc.constantFrom(...zones),
      (dates, now, timeZone) => {
        const all = dates
          .sort((one, other) => other.getTime() - one.getTime())
          .map((date, index) => transaction(date.toISOString(), String(index)))
        const nowMs = now.getTime()
        const months = groupByMonth(all, { nowMs, timeZone, locale: 'en' })
        expect(months.flatMap(({ transactions }) => transactions)).toEqual(all)
        expect(new Set(months.map(({ key }) => key)).size).toBe(months.length)
        const local = (atMs: number) =>
          new Date(atMs).toLocaleDateString('sv-SE', { timeZone }).slice(0, 7)
        for (const { key, title, transactions } of months) {
          for (const { metadata } of transactions)
            expect(local(Date.parse(metadata.minedAt))).toBe(key)
          const isThisYear = key.slice(0, 4) === local(nowMs).slice(0, 4)
          expect(/\d/.test(title)).toBe(!isThisYear)
        }
      },
    ),
    { numRuns: 150 },
  )
})
