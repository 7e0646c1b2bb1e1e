import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64, encodeBase64 } from './base64.ts'

test('default: both forms as Node writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      for (const form of ['base64', 'base64url'] as const) {
        const text = encodeBase64(bytes, form)
        expect(text).toBe(Buffer.from(bytes).toString(form))
        expect(decodeBase64(text, form)).toEqual(bytes)
      }
    }),
  )
  expect(decodeBase64(encodeBase64(new Uint8Array(100_000)))).toHaveLength(100_000)
})

test('error: another form, a missing or a second padding, spaces, and bits that belong to no byte', () => {
  for (const text of ['AA', 'AA=', 'AA===', 'A', ' AA==', 'AA==\n', 'AB==', 'AAB=', '__==', 'é==='])
    expect(decodeBase64(text)).toBeUndefined()
  for (const text of ['AA==', 'A', 'AB', '+/8', ' AA', 'AA '])
    expect(decodeBase64(text, 'base64url')).toBeUndefined()
})
