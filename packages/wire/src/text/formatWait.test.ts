import { expect, test } from 'vitest'
import { formatWait } from './formatWait.ts'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [3504, '59 minutes'],
])('param: seconds: %i as "%s"', (seconds, expected) => expect(formatWait(seconds)).toBe(expected))

test('param: locale: the words of another language', () => {
  expect(formatWait(3504, 'de')).toBe('59 Minuten')
})
