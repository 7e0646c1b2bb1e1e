import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unwrapEmail } from './unwrapEmail.ts'

test.each([
  'ada@example.com.',
  '<ada@example.com>',
  'Ada <ada@example.com>',
  '"Lovelace, Ada" <ada@example.com>;',
  'ada@example.com<mailto:ada@example.com>',
  'mailto:ada@example.com',
  'MAILTO:ada%40example.com?subject=Hi',
  '<mailto:ada@example.com>,',
  '\u202aada@example.com\u202c',
  '\tada@example.com\r\n',
  '\u200b\ufeffada@example.com\u00a0',
  "'ada@example.com'",
  '“ada@example.com”,',
  '«ada@example.com»',
  '(ada@example.com)',
  '[ada@example.com]',
  '*ada@example.com*',
  '`ada@example.com`.',
  'ada@example.com (Ada)',
  'E-mail: ada@example.com',
  '"ada"@example.com',
  'ada＠example．com',
  '＜ada@example.com＞',
])('default: what surrounds the address in %j is taken off', (text) => {
  expect(unwrapEmail(text)).toBe('ada@example.com')
})

test('behavior: parts of an address stay, and several addresses are not merged', () => {
  for (const email of [
    "'o@example.com",
    '_a_@example.com',
    '{a}+b?c@example.com',
    'ab.@docomo.example',
  ])
    expect(unwrapEmail(email)).toBe(email)
  for (const text of ['<a@b.example>, <c@d.example>', 'a@b.example, c@d.example'])
    expect(unwrapEmail(text)).toBe(text)
  const part = fc.string({
    unit: fc.constantFrom(...'a@.:<>()"\'*_` \u202a?,mailto%4'),
    maxLength: 30,
  })
  fc.assert(
    fc.property(part, (text) => {
      const once = unwrapEmail(`${text}@${text}`)
      if (/^[a-z._*'`?%]+@[a-z.]+$/.test(once)) expect(unwrapEmail(once)).toBe(once)
    }),
    { numRuns: 2_000 },
  )
})
