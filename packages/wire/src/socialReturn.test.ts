import { expect, test } from 'vitest'
import { buildSocialReturn, readSocialReturn } from './socialReturn.ts'

const challenge = 'a-_9'.padEnd(43, 'Z')

test('default: a built fragment reads back, with the previous fragment', () => {
  for (const own of ['', '/route', 'a=b&latchkey-login=x', '#'])
    for (const provider of ['google', 'x'] as const) {
      const back = { provider, challenge, own }
      expect(readSocialReturn(buildSocialReturn(back))).toEqual(back)
    }
})

test('error: an unknown provider, challenge or form is not read', () => {
  for (const text of [
    '',
    'latchkey-login=',
    `latchkey-login=myspace.${challenge}`,
    `latchkey-login=google.${challenge}A`,
    `latchkey-login=google.${challenge.slice(1)}`,
    `latchkey-login=google.${challenge}/route`,
    `a&latchkey-login=google.${challenge}`,
  ])
    expect(readSocialReturn(text)).toBe(undefined)
})
