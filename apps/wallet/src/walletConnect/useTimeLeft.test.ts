import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTimeLeft } from './useTimeLeft.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const TimeLeft = ({ at }: { at: number }) => useTimeLeft(at) ?? 'expired'
const show = (at: number) => renderToStaticMarkup(createElement(TimeLeft, { at }))

test('default: minutes, hours, days', () => {
  const left = (seconds: number) => show(1_000 + seconds)
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

test('behavior: expired, also within the last second', () => {
  expect(show(1_000)).toBe('expired')
  vi.setSystemTime(999_500)
  expect(show(1_000)).toBe('expired')
  expect(show(0)).toBe('expired')
})
