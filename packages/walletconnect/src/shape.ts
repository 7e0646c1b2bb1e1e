/**
 * Reads an untrusted value: returns the parsed value, without unknown keys. Throws a TypeError if
 * the value has the wrong shape. Replaces a schema library, because every kB of this package adds
 * to a page's size.
 */
export type Shape<Value> = (value: unknown) => Value

/** The type of the value that a shape reads. */
export type Infer<From> = From extends Shape<infer Value> ? Value : never

/** The value as the shape reads it, else undefined. */
export function read<Value>(shape: Shape<Value>, value: unknown): Value | undefined {
  try {
    return shape(value)
  } catch {
    return undefined
  }
}

/** {@link read} for a JSON string. */
export function readJsonAs<Value>(
  shape: Shape<Value>,
  text: string | undefined,
): Value | undefined {
  try {
    return text === undefined ? undefined : shape(JSON.parse(text))
  } catch {
    return undefined
  }
}

const refine =
  <Value>(is: (value: unknown) => value is Value): Shape<Value> =>
  (value) => {
    if (is(value)) return value
    throw new TypeError('wrong shape')
  }

export const string: Shape<string> = refine((value) => typeof value === 'string')
export const boolean: Shape<boolean> = refine((value) => typeof value === 'boolean')
export const integer: Shape<number> = refine((value): value is number =>
  Number.isSafeInteger(value),
)
/** A whole number from zero. */
export const nonNegative: Shape<number> = refine(
  (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
)
/** Any value, also null and undefined. */
export const unknown: Shape<unknown> = (value) => value
/** Any value except null and undefined. */
export const defined: Shape<unknown> = refine(
  (value): value is unknown => value !== null && value !== undefined,
)

/** A string that matches `regex`. */
export const pattern = (regex: RegExp): Shape<string> =>
  refine((value): value is string => typeof value === 'string' && regex.test(value))

/** Exactly this value. */
export const literal = <const Value extends string | number | boolean>(
  expected: Value,
): Shape<Value> => refine((value): value is Value => value === expected)

/** The first shape that fits. */
export const union =
  <One, Other>(one: Shape<One>, other: Shape<Other>): Shape<One | Other> =>
  (value) => {
    try {
      return one(value)
    } catch {
      return other(value)
    }
  }

/** A list of at least `least` items. */
export const array =
  <Item>(item: Shape<Item>, least = 0): Shape<Item[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length < least) throw new TypeError('wrong shape')
    return value.map((one) => item(one))
  }

/** An object with any keys. */
export const record =
  <Value>(shape: Shape<Value>): Shape<Record<string, Value>> =>
  (value) =>
    // Creates own keys, also for `__proto__`.
    Object.fromEntries(Object.entries(asObject(value)).map(([key, one]) => [key, shape(one)]))

type Optional<Value> = Shape<Value | undefined> & { readonly isOptional: true }

// Some native clients write null for missing values.
const isAbsent = (value: unknown, shape: Shape<unknown>) =>
  value === undefined || (value === null && shape !== unknown)

/** A key of {@link object} that may be missing. */
export const optional = <Value>(shape: Shape<Value>): Optional<Value> =>
  Object.assign((value: unknown) => (isAbsent(value, shape) ? undefined : shape(value)), {
    isOptional: true as const,
  })

/** A key of {@link object} with a default value. */
export const withDefault =
  <Value>(shape: Shape<Value>, absent: Value): Shape<Value> =>
  (value) =>
    isAbsent(value, shape) ? absent : shape(value)

type Fields = Record<string, Shape<unknown>>
type OptionalKeys<Of extends Fields> = {
  [Key in keyof Of]: Of[Key] extends Optional<unknown> ? Key : never
}[keyof Of]
type ObjectValue<Of extends Fields> = {
  [Key in Exclude<keyof Of, OptionalKeys<Of>>]: Infer<Of[Key]>
} & { [Key in OptionalKeys<Of>]?: Infer<Of[Key]> }

/** An object with these keys; other keys are dropped. */
export const object =
  <Of extends Fields>(
    fields: Of,
  ): Shape<{ [Key in keyof ObjectValue<Of>]: ObjectValue<Of>[Key] }> =>
  (value) => {
    const from = asObject(value)
    const found: Record<string, unknown> = {}
    for (const [key, shape] of Object.entries(fields)) {
      const one = shape(Object.hasOwn(from, key) ? from[key] : undefined)
      if (one !== undefined) found[key] = one
    }
    return found as ObjectValue<Of>
  }

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('wrong shape')
  return value as Record<string, unknown>
}
