import { expect, test } from 'vitest'
import { stripBlanks } from './stripBlanks.ts'

test('default: spaces and invisible characters are removed', () => {
  expect(stripBlanks(' \u200ealice .latchkey\u200b.eth\n\u2069')).toBe('alice.latchkey.eth')
})

test('security: the character that reverses what follows stays', () => {
  expect(stripBlanks('0x12\u202e34')).toBe('0x12\u202e34')
})
