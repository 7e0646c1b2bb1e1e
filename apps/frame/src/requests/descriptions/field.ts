import type { DescribedParameter } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { SignedData, SignedValue } from '../evm/typedData/checkTypedData.ts'

/**
 * A part of the signed data: a value, or a struct or list with members. Values are strings:
 * numbers, hex, `true`.
 */
export type DescriptionField = {
  readonly name: string
  readonly type: string
  readonly value?: string
  readonly fields?: readonly DescriptionField[]
}

const listType = /^(.*)\[\d*\]$/

/**
 * Converts the decoded parameters of a call to fields. Structs were decoded as lists, so that names
 * cannot hide values.
 */
export const fromParameters = (
  inputs: readonly DescribedParameter[],
  values: readonly unknown[],
): DescriptionField => ({
  name: '',
  type: 'tuple',
  fields: inputs.map((input, index) => fromParameter(input, values[index])),
})

function fromParameter(
  { name, type, components }: DescribedParameter,
  value: unknown,
): DescriptionField {
  const [, item] = listType.exec(type) ?? []
  if (item !== undefined)
    return {
      name,
      type,
      fields: (value as readonly unknown[]).map((one, index) =>
        fromParameter(
          { name: String(index + 1), type: item, ...(components && { components }) },
          one,
        ),
      ),
    }
  if (components)
    return {
      name,
      type,
      fields: components.map((one, index) =>
        fromParameter(one, (value as readonly unknown[])[index]),
      ),
    }
  return { name, type, value: String(value) }
}

/** Converts the message of typed data to fields. */
export const fromTypedData = ({ types, primaryType, message }: SignedData): DescriptionField =>
  fromSigned({ name: '', type: primaryType }, message, types)

function fromSigned(
  { name, type }: { name: string; type: string },
  value: SignedValue | undefined,
  types: SignedData['types'],
): DescriptionField {
  const [, item] = listType.exec(type) ?? []
  if (item !== undefined && Array.isArray(value))
    return {
      name,
      type,
      fields: value.map((one, index) =>
        fromSigned({ name: String(index + 1), type: item }, one as SignedValue, types),
      ),
    }
  if (typeof value === 'object' && !Array.isArray(value))
    return {
      name,
      type,
      fields: (types[type] ?? []).map((one) =>
        fromSigned(one, (value as Record<string, SignedValue>)[one.name], types),
      ),
    }
  return { name, type, value: String(value) }
}

/**
 * A field that a path leads to. `at`: its indexes in the lists along the path, so that the results
 * of two paths can be paired.
 */
export type Selected = { readonly field: DescriptionField; readonly at: readonly number[] }

/**
 * Selects the fields that an ERC-7730 path leads to (`#.a.[].b`, `#.list.[-1]`, `#.data.[0:20]`).
 * Empty if the path leads outside the signed data.
 */
export function selectFields(root: DescriptionField, path: string): readonly Selected[] {
  let found: readonly Selected[] = [{ field: root, at: [] }]
  for (const [, name, at, colon, to] of path
    .slice(1)
    .matchAll(/\.?(?:([^.[\]]+)|\[(-?\d*)(:)?(-?\d*)\])/g))
    found = found.flatMap((one) =>
      name !== undefined
        ? getMembers(one.field, name).map((field) => ({ ...one, field }))
        : pick(one, { at: at ?? '', isSlice: colon !== undefined, to: to ?? '' }),
    )
  return found
}

/** List items are named by their number and have no other names. */
const getMembers = ({ type, fields = [] }: DescriptionField, name: string) =>
  listType.test(type) ? [] : fields.filter((each) => each.name === name)

function pick(
  { field, at: places }: Selected,
  { at, isSlice, to }: { at: string; isSlice: boolean; to: string },
): readonly Selected[] {
  const start = at === '' ? undefined : Number(at)
  const end = to === '' ? undefined : Number(to)
  const { fields, value } = field
  if (fields) {
    if (!listType.test(field.type)) return []
    if (isSlice || start === undefined)
      return fields.slice(start, end).map((one, index) => ({ field: one, at: [...places, index] }))
    const one = fields.at(start)
    return one ? [{ field: one, at: places }] : []
  }
  if (!isSlice || value === undefined) return []
  const bytes = toBytes(field.type, value)?.match(/../g)?.slice(start, end) ?? []
  if (bytes.length === 0) return []
  return [{ field: { ...field, type: 'bytes', value: `0x${bytes.join('')}` }, at: places }]
}

/** The hex digits of a value. A number is padded to the width of its type. */
function toBytes(type: string, value: string): string | undefined {
  if (/^0x([0-9a-f]{2})*$/i.test(value)) return value.slice(2)
  const [, bits] = /^uint(\d+)$/.exec(type) ?? []
  return bits === undefined
    ? undefined
    : BigInt(value)
        .toString(16)
        .padStart(Number(bits) / 4, '0')
}

/** The value of an integer field. */
export const readNumber = ({ type, value }: DescriptionField): bigint | undefined =>
  value !== undefined && /^u?int\d*$/.test(type) ? BigInt(value) : undefined

export const isAddressType = (value: string | undefined): value is Hex =>
  value !== undefined && /^0x[0-9a-f]{40}$/i.test(value)
