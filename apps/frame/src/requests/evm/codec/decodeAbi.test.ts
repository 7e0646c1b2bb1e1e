import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { decodeAbi } from './decodeAbi.ts'
import { type AbiType, encodeAbi } from './encodeAbi.ts'

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex)
const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

type Case = { readonly type: AbiType; readonly value: unknown }

const sizes = fc.integer({ min: 1, max: 32 })
const atom: fc.Arbitrary<Case> = fc.oneof(
  fc.boolean().map((value) => ({ type: { type: 'bool' }, value })),
  hex(20).map((value) => ({ type: { type: 'address' }, value: getAddress(value) })),
  fc
    .uint8Array({ maxLength: 70 })
    .map((value) => ({ type: { type: 'bytes' }, value: toHex(value) })),
  fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((value) => ({ type: { type: 'string' }, value })),
  sizes.chain((bytes) => hex(bytes).map((value) => ({ type: { type: `bytes${bytes}` }, value }))),
  sizes.chain((bytes) =>
    fc
      .bigInt({ min: 0n, max: (1n << BigInt(8 * bytes)) - 1n })
      .map((value) => ({ type: { type: `uint${8 * bytes}` }, value })),
  ),
  sizes.chain((bytes) =>
    fc
      .bigInt({ min: -(1n << BigInt(8 * bytes - 1)), max: (1n << BigInt(8 * bytes - 1)) - 1n })
      .map((value) => ({ type: { type: `int${8 * bytes}` }, value })),
  ),
)
const { any } = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: atom },
    {
      weight: 1,
      arbitrary: fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map((parts) => ({
        type: { type: 'tuple', components: parts.map(({ type }) => type) },
        value: parts.map(({ value }) => value),
      })),
    },
    {
      // Equal items: fast-check rarely generates items of one type otherwise.
      weight: 1,
      arbitrary: fc
        .tuple(tie('any'), fc.integer({ min: 0, max: 4 }), fc.boolean())
        .map(([{ type, value }, count, isFixed]) => ({
          type: { ...type, type: `${type.type}[${isFixed && count > 0 ? count : ''}]` },
          value: Array(count).fill(value),
        })),
    },
  ),
}))
const cases = fc.array(any, { minLength: 1, maxLength: 5 }).map((all) => ({
  types: all.map(({ type }) => type),
  values: all.map(({ value }) => value),
}))

test('default: values of any types are encoded as viem encodes them, and decoded again', () => {
  fc.assert(
    fc.property(cases, ({ types, values }) => {
      const data = encodeAbi(types, values)
      // viem expects and returns small numbers with the type `number`.
      expect(data).toBe(encodeAbiParameters(types as never, values as never))
      expect(decodeAbi(types, data)).toEqual(values)
    }),
    { numRuns: 1_000 },
  )
})

test('behavior: of changed bytes, only those are decoded that viem decodes to values which encode to them', () => {
  fc.assert(
    fc.property(
      cases,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('0', '1', '2', '4', '6', 'f'),
      (given, a, b, digit) => {
        const { types, values } = given
        const data = encodeAbi(types, values)
        const at = 2 + (a % (data.length - 2))
        const [cut, changed, moved] = [
          data.slice(0, -2 * (1 + (b % 40))),
          `${data.slice(0, at)}${digit}${data.slice(at + 1)}`,
          `${data.slice(0, 2)}${data.slice(2 + 64 * (b % 3))}${word(b % 99)}`,
        ]
        for (const one of [cut, changed, moved] as Hex[]) {
          const found = decodeAbi(types, one)
          if (found) expect(encodeAbiParameters(types as never, found as never)).toBe(one)
          else expect(encodesBack(types, one)).toBe(false)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

/**
 * The previous check of the frame: viem alone, which drops the byte order mark at the start of a
 * string.
 */
function encodesBack(types: readonly AbiType[], data: Hex): boolean {
  try {
    const values = decodeAbiParameters(types as never, data)
    return encodeAbiParameters(types as never, values as never) === data
  } catch {
    return false
  }
}

test('behavior: an empty parameter list decodes only from empty data', () => {
  expect(decodeAbi([], '0x')).toEqual([])
  expect(decodeAbi([], '0x00')).toBeUndefined()
  expect(decodeAbi([{ type: 'bool' }], '0x')).toBeUndefined()
})

test.each([
  ['a number of more bits', 'uint8', word(256)],
  ['a negative one of more bits', 'int8', 'f'.repeat(62).padStart(64, '0')],
  ['a bool of two', 'bool', word(2)],
  ['an address of 21 bytes', 'address', `${'0'.repeat(23)}1${'1'.repeat(40)}`],
  ['bytes behind their end', 'bytes4', `${'0'.repeat(62)}01`],
  ['a length beyond the data', 'bytes', `${word(32)}${word(33)}${word(0)}`],
  ['a length of 2^255', 'bytes', `${word(32)}${word(1n << 255n)}`],
  ['a text that is none', 'string', `${word(32)}${word(1)}ff${'0'.repeat(62)}`],
  ['a list of 2^255', 'uint256[]', `${word(32)}${word(1n << 255n)}`],
  ['a place that is not the next one', 'bytes', `${word(64)}${word(0)}${word(0)}`],
  ['a type that is none', 'uint7', word(1)],
  ['the same in an empty list', 'uint256[0]', ''],
  ['a list of nothing', 'uint256[0][]', `${word(32)}${word(1n << 40n)}`],
  ['lists of nothing', `uint256[0]${'[4000]'.repeat(4)}`, word(0).repeat(4_000)],
  ['a struct of nothing', 'tuple[]', `${word(32)}${word(2)}`],
  ['bytes0', 'bytes0', ''],
  ['bytes33', 'bytes33', word(0).repeat(2)],
  ['a function', 'function', word(0)],
])('error: %s', (_, type, digits) => {
  expect(decodeAbi([{ type }], `0x${digits}`)).toBeUndefined()
})

test('error: refuses a value with components, and a struct without components', () => {
  const data: Hex = `0x${word(7)}`
  expect(decodeAbi([{ type: 'uint256' }], data)).toEqual([7n])
  for (const components of [[], [{ type: 'bool' }]])
    expect(decodeAbi([{ type: 'uint256', components }], data)).toBeUndefined()
  expect(decodeAbi([{ type: 'tuple', components: [] }, { type: 'uint256' }], data)).toBeUndefined()
  expect(decodeAbi([{ type: 'tuple' }, { type: 'uint256' }], data)).toBeUndefined()
})

test('error: lists in lists that all begin at one place are refused, and quickly', () => {
  // Each list contains itself twice: following the offsets would yield 2^60 items.
  const levels = Array.from({ length: 60 }, () => `${word(2)}${word(64)}${word(64)}`).join('')
  expect(decodeAbi([{ type: `bytes${'[]'.repeat(60)}` }], `0x${word(32)}${levels}`)).toBeUndefined()
})

test('error: inspects the components of a list of structs once, not for each claimed item', () => {
  let looks = 0
  const components = Array.from({ length: 64 }, () => ({
    get type() {
      looks += 1
      return 'uint256'
    },
  }))
  const data: Hex = `0x${word(32)}${word(4_000)}${word(0).repeat(4_000)}`
  expect(decodeAbi([{ type: 'tuple[]', components }], data)).toBeUndefined()
  // Of the 4,000 items, 62 are there.
  expect(looks).toBeLessThan(64 * 63 * 8)
})

test.each([
  ['another number of values', [{ type: 'bool' }], []],
  ['a list of another length', [{ type: 'bool[2]' }], [[true]]],
  ['no list', [{ type: 'bool[]' }], [true]],
  ['a number too large', [{ type: 'uint8' }], [256n]],
  ['a negative number', [{ type: 'uint8' }], [-1n]],
  ['a number that is no bigint', [{ type: 'uint8' }], [1]],
  ['a short address', [{ type: 'address' }], ['0x11']],
  ['other bytes', [{ type: 'bytes4' }], ['0x112233']],
  ['half a byte', [{ type: 'bytes' }], ['0x1']],
  ['a text that is none', [{ type: 'string' }], [1n]],
])('error: %s is not encoded', (_, types, values) => {
  expect(() => encodeAbi(types, values)).toThrow(RangeError)
})
