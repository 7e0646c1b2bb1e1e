import { expect, test } from 'vitest'
import { findUnchecked } from './findUnchecked.ts'

const named = (name: string, checked_at: string) => ({ name, checked_at })
const wallets = [
  named('exactly six months', '2026-05-28'),
  named('a day too old', '2026-05-27'),
  named('new', '2026-11-01'),
  named('old', '2024-01-01'),
]

test('default: wallets without a check in the last six months, the oldest first', () => {
  const found = findUnchecked(wallets, new Date('2026-11-28T00:00:00Z'))
  expect(found.map(({ name }) => name)).toEqual(['old', 'a day too old'])
})
