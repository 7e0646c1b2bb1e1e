import type { HistoryTransaction } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { groupByDay } from './groupByDay.ts'

const transaction = (
  minedAt: string,
  status: HistoryTransaction['metadata']['status'] = 'confirmed',
): HistoryTransaction => ({
  id: `${minedAt} ${status}`,
  metadata: {
    ...{ operationType: 'send', hash: minedAt, minedAt, sentFrom: '', sentTo: '' },
    ...{ status, nonce: 0, chain: 'eip155:31337' },
  },
  transfers: [],
})

type Settings = { now: string; timeZone?: string; locale?: string }

const days = (moments: readonly string[], { now, timeZone = 'UTC', locale = 'en' }: Settings) =>
  groupByDay(
    moments.map((moment) => transaction(moment)),
    { nowMs: Date.parse(now), timeZone, locale },
  ).map(({ key, near, title, transactions }) => `${key} ${near ?? title} ${transactions.length}`)

test('default: today, yesterday, then the date, with the year of an earlier year', () => {
  const moments = [
    '2026-11-28T14:02:00Z',
    '2026-11-28T09:00:00Z',
    '2026-11-27T18:43:00Z',
    '2026-11-26T11:25:00Z',
    '2025-11-26T11:25:00Z',
  ]
  expect(days(moments, { now: '2026-11-28T20:00:00Z' })).toEqual([
    '2026-11-28 today 2',
    '2026-11-27 yesterday 1',
    '2026-11-26 Thursday, November 26 1',
    '2025-11-26 Wednesday, November 26, 2025 1',
  ])
})

test('behavior: midnight is the beginning of a day', () => {
  const moments = ['2026-03-01T00:00:00Z', '2026-02-28T23:59:59.999Z', '2026-02-27T23:59:59.999Z']
  const begin = '2026-03-01T00:00:00Z'
  expect(days(moments, { now: begin })).toEqual([
    '2026-03-01 today 1',
    '2026-02-28 yesterday 1',
    '2026-02-27 Friday, February 27 1',
  ])
})

test('param: timeZone decides the day', () => {
  const moments = ['2026-01-01T03:00:00Z']
  const now = '2026-01-01T12:00:00Z'
  expect(days(moments, { now })).toEqual(['2026-01-01 today 1'])
  expect(days(moments, { now, timeZone: 'America/New_York' })).toEqual(['2025-12-31 yesterday 1'])
  expect(days(moments, { now, timeZone: 'Pacific/Kiritimati' })).toEqual(['2026-01-01 yesterday 1'])
})

test('behavior: days of 23 and 25 hours, when the clock changes, are one day', () => {
  const zone = { timeZone: 'Europe/Berlin' }
  // The last 23 hours before this midnight are a whole day.
  const spring = ['2026-03-29T21:30:00Z', '2026-03-28T23:30:00Z', '2026-03-28T22:30:00Z']
  expect(days(spring, { ...zone, now: '2026-03-29T22:30:00Z' })).toEqual([
    '2026-03-29 yesterday 2',
    '2026-03-28 Saturday, March 28 1',
  ])
  const autumn = ['2026-10-25T22:30:00Z', '2026-10-24T22:30:00Z', '2026-10-24T21:30:00Z']
  expect(days(autumn, { ...zone, now: '2026-10-25T22:45:00Z' })).toEqual([
    '2026-10-25 today 2',
    '2026-10-24 yesterday 1',
  ])
})

test('param: locale', () => {
  const moments = ['2026-11-26T11:25:00Z']
  const now = '2026-11-30T00:00:00Z'
  expect(days(moments, { now, locale: 'de' })).toEqual(['2026-11-26 Donnerstag, 26. November 1'])
  // Keys stay the same for any calendar and numerals of the titles.
  expect(days(moments, { now, locale: 'fa' })[0]).toMatch(/^2026-11-26 .*۵/)
})

test('behavior: pending transactions are first and of today, when the server reported them too', () => {
  const [today, earlier] = groupByDay(
    [
      transaction('2026-11-28T14:00:00Z'),
      transaction('2026-11-27T14:00:00Z'),
      transaction('2026-11-27T13:00:00Z', 'pending'),
    ],
    { nowMs: Date.parse('2026-11-28T20:00:00Z'), timeZone: 'UTC', locale: 'en' },
  )
  expect(today?.transactions.map(({ metadata }) => metadata.status)).toEqual([
    'pending',
    'confirmed',
  ])
  expect(earlier?.transactions.length).toBe(1)
})

test('behavior: an id that two pages bring is one, and a moment that cannot be read is today', () => {
  const now = '2026-11-28T20:00:00Z'
  expect(days(['soon', 'soon'], { now })).toEqual(['2026-11-28 today 1'])
})
