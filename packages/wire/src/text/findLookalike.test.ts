import { expect, test } from 'vitest'
import { findLookalike } from './findLookalike.ts'

const known = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

test.each([
  ['six and four characters', '0x8ba10000000000000000000000000000000bbA72'],
  ['four and six characters', '0x8b000000000000000000000000000000004dba72'],
  ['those in capitals', '0x8BA100000000000000000000000000000000BA72'],
])('default: an address with the same %s', (_, address) => {
  expect(findLookalike(address, ['0x01', known])).toBe(known)
})

test.each([
  ['itself', known.toLowerCase()],
  ['the same beginning alone', '0x8ba1f109551bd432803012645ac136ddd64d0000'],
  ['the same end alone', '0x00a1f109551bd432803012645ac136ddd64dba72'],
  ['nothing', ''],
])('behavior: %s is no look-alike', (_, address) => {
  expect(findLookalike(address, [known])).toBeUndefined()
})

test('behavior: of two similar addresses, the address that was known first is not the lookalike', () => {
  const late = '0x8ba100000000000000000000000000000000BA72'
  expect(findLookalike(known, [known, late])).toBeUndefined()
  expect(findLookalike(late, [known, late])).toBe(known)
})

test('default: addresses of Solana and Bitcoin', () => {
  const solana = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
  expect(findLookalike('7S3P9999999999999999999999999999999999ArAaKv', [solana])).toBe(solana)
  const bitcoin = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
  expect(findLookalike('bc1q0000000000000000000000000000000zwf5mdq', [bitcoin])).toBe(bitcoin)
})
