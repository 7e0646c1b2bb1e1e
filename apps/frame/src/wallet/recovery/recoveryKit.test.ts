import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { toBytes } from '../crypto/bytes.ts'
import { createRecoveryKit, parseRecoveryKit } from './recoveryKit.ts'

/** The kit that a browser creates from these random bytes. */
function kitOf(secret: Uint8Array): string {
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((array) => {
    const bytes = array as unknown as Uint8Array
    bytes.set(secret)
    return array
  })
  const kit = createRecoveryKit()
  random.mockRestore()
  return kit
}

test('default: seven groups of four, no letter that can be misread', () => {
  expect(createRecoveryKit()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(createRecoveryKit()).not.toBe(createRecoveryKit())
})

test('behavior: a kit is read, however it is typed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (raw) => {
      const kit = kitOf(raw)
      const typed = kit.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
      expect(parseRecoveryKit(kit)).toEqual(toBytes(raw))
      expect(parseRecoveryKit(typed)).toEqual(toBytes(raw))
    }),
  )
})

test('error: one wrong letter is detected, except in one case of 4096', () => {
  const kit = kitOf(new Uint8Array(16).fill(7))
  let missed = 0
  for (let at = 0; at < kit.length; at++) {
    if (kit[at] === '-') continue
    const other = kit[at] === 'A' ? 'B' : 'A'
    try {
      parseRecoveryKit(kit.slice(0, at) + other + kit.slice(at + 1))
      missed += 1
    } catch {}
  }
  expect(missed).toBeLessThanOrEqual(1)
})

test.each(['', 'AAAA', `${'A'.repeat(27)}U`, 'x'.repeat(100)])('error: %j is no kit', (text) => {
  expect(() => parseRecoveryKit(text)).toThrow('This is not the code of a recovery kit')
})
