import { expect, test } from 'vitest'
import { groupAddress } from './groupAddress.ts'

test('default: an address is split into groups of four, and its two ends are marked', () => {
  expect(groupAddress('0xf39Fd6e51a')).toEqual([
    { text: '0xf39F', isEnd: true },
    { text: 'd6e5', isEnd: false },
    { text: '1a', isEnd: true },
  ])
  expect(groupAddress('bc1q').map(({ text }) => text)).toEqual(['bc1q'])
  expect(groupAddress('')).toEqual([])
})
