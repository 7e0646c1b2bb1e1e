import { expect, test } from 'vitest'
import { decodeUtf8 } from './decodeUtf8.ts'

test('default: decodes text', () => {
  expect(decodeUtf8(new TextEncoder().encode('grüß 🗝'))).toBe('grüß 🗝')
  expect(decodeUtf8(new Uint8Array())).toBe('')
})

test('behavior: keeps a byte order mark', () => {
  expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa')
})

test.each([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]])(
  'error: bytes that are not UTF-8: %i',
  (...bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined()
  },
)
