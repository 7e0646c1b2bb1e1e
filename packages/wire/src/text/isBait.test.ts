import { expect, test } from 'vitest'
import { isBait } from './isBait.ts'
import { toLatin } from './toLatin.ts'

test.each([
  ['Visit', 'a lure'],
  ['Ѵіѕіt', 'in look-alikes of other scripts'],
  ['ᴠɪꜱɪᴛ', 'in small capitals'],
  ['V1S1T', 'with digits for letters'],
  ['C L A I M', 'with spaces between letters'],
  ['т.ме', 'an address in look-alikes'],
  ['evil dot com', 'a dot as a word'],
  ['evil(.)com', 'a dot in brackets'],
])('security: %s is bait (%s)', (name) => {
  expect(isBait(name)).toBe(true)
})

test.each(['USDC.e', 'UNI-V2', '$DAI', 'USD₮0', 'BTC-USD', 'Aave Interest bearing USDC', '', null])(
  'default: %s is the name of a token',
  (name) => {
    expect(isBait(name)).toBe(false)
  },
)

test('default: letters that look like Latin letters are read as Latin letters', () => {
  expect(toLatin('UЅDТ')).toBe('USDT')
  expect(toLatin('Ⓤｓ𝖉\u200b₮')).toBe('USDT')
})
