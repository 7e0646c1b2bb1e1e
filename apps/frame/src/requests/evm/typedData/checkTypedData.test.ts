import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashTypedData } from '../../../wallet/sign/hashTypedData.ts'
import { checkTypedData } from './checkTypedData.ts'

const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,5}$/)
const hex = (bytes: number, most = bytes) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: most })
    .map((some) => `0x${Buffer.from(some).toString('hex')}`)
/**
 * A type and a value that a page may give for it, often in an unusual spelling, sometimes out of
 * range.
 */
const atoms = [
  ['string', fc.string({ unit: 'binary', maxLength: 20 })],
  ['bool', fc.boolean()],
  ['address', hex(20).map((text) => `0x${text.slice(2).toUpperCase()}`)],
  ['bytes', hex(0, 40)],
  ['bytes4', hex(4, 5)],
  ['uint8', fc.oneof(fc.integer({ min: -3, max: 300 }), fc.constant('0x0f'))],
  ['uint256', fc.bigInt({ min: -1n, max: 2n ** 256n }).map(String)],
  ['int64', fc.bigInt({ min: -(2n ** 63n) - 1n, max: 2n ** 63n }).map(String)],
] as const
const field = fc
  .tuple(name, fc.constantFrom(...atoms), fc.boolean())
  .chain(([label, [type, value], isList]) =>
    isList
      ? fc
          .array(value as fc.Arbitrary<unknown>, { maxLength: 3 })
          .map((list) => ({ label, type: `${type}[]`, value: list as unknown }))
      : (value as fc.Arbitrary<unknown>).map((one) => ({
          label,
          type: type as string,
          value: one,
        })),
  )
const struct = fc.uniqueArray(field, { maxLength: 5, selector: ({ label }) => label })
const fieldsOf = (list: readonly { label: string; type: string }[]) =>
  list.map(({ label, type }) => ({ name: label, type }))
const valuesOf = (list: readonly { label: string; value: unknown }[]) =>
  Object.fromEntries(list.map(({ label, value }) => [label, value]))

test('behavior: the checked typed data hashes like the requested data, and unsignable data is refused', () => {
  let taken = 0
  fc.assert(
    fc.property(struct, struct, hex(20), (outer, inner, contract) => {
      const data = {
        types: {
          Outer: [
            ...fieldsOf(outer),
            { name: '_inner', type: 'Inner' },
            { name: '_all', type: 'Inner[]' },
          ],
          Inner: fieldsOf(inner),
        },
        primaryType: 'Outer',
        domain: { name: 'x', chainId: 1, verifyingContract: contract },
        message: {
          ...valuesOf(outer),
          _inner: valuesOf(inner),
          _all: [valuesOf(inner)],
          unseen: 1,
        },
      }
      const hashOf = (from: Parameters<typeof hashTypedData>[0]) => {
        try {
          return Buffer.from(hashTypedData(from)).toString('hex')
        } catch {
          return 'refused'
        }
      }
      let signed: ReturnType<typeof checkTypedData> | undefined
      try {
        signed = checkTypedData(data)
        taken += 1
      } catch {}
      expect(signed ? hashOf(signed) : 'refused').toBe(hashOf(data))
      const written = (['Outer', 'Inner'] as const).map(
        (one) => `${one}(${data.types[one].map((each) => `${each.type} ${each.name}`)})`,
      )
      if (signed) expect(signed.encoded).toBe(written.join(''))
    }),
    { numRuns: 300 },
  )
  expect(taken).toBeGreaterThan(30)
})
