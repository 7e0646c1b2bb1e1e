import { expect, test } from 'vitest'
import { formatTimeLeft } from './useTimeLeft.ts'

test('default: minutes, hours, days', () => {
  const left = (seconds: number) => formatTimeLeft(1_000 + seconds, 1_000_000)
  expect([5, 65, 299.9, 3_599, 3_600, 172_799, 604_800].map(left)).toEqual([
    '0:05',
    '1:05',
    '4:59',
    '59:59',
    '1 h',
    '47 h',
    '7 days',
  ])
})

test('behavior: over', () => {
  expect(formatTimeLeft(1_000, 1_000_000)).toBeUndefined()
  expect(formatTimeLeft(1_000, 999_500)).toBeUndefined()
  expect(formatTimeLeft(0, 999_500)).toBeUndefined()
})
