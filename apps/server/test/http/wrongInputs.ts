import * as z from 'zod'

type Shape = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** The shape of a schema's input. */
export const shapeOf = (schema: z.core.$ZodType | undefined): Shape =>
  schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape) : {}

/** Makes a value for a schema. The patterns of strings are ignored. */
export function makeSample(shape: Shape): unknown {
  const [first] = shape.anyOf ?? shape.oneOf ?? []
  if (first) return makeSample(first)
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.properties)
    return Object.fromEntries(
      Object.entries(shape.properties).map(([name, one]) => [name, makeSample(one)]),
    )
  if (shape.type === 'array') return [makeSample(shape.items ?? {})]
  if (shape.type === 'boolean') return true
  if (shape.type === 'number' || shape.type === 'integer') return 1
  return shape.type === 'object' ? {} : '0x1234'
}

const junk = [null, 0, -1, 1.5, 1e300, true, '', 'x', 'y'.repeat(30_000), [], {}, { type: 'x' }, []]
const longList = Array.from({ length: 200 }, () => 'x')

/**
 * Every value that differs from `value` in one place: another kind, a size beyond its limits, or a
 * field that is missing.
 */
export function* vary(value: unknown): Generator<unknown> {
  yield* [...junk, longList]
  if (Array.isArray(value)) for (const one of vary(value[0])) yield [one]
  else if (typeof value === 'object' && value !== null) {
    yield { ...value, surplus: 1 }
    for (const [name, one] of Object.entries(value)) {
      yield { ...value, [name]: undefined }
      for (const other of vary(one)) yield { ...value, [name]: other }
    }
  }
}

/** Phrases of the schema library, and the message for a format without a description. */
export const foreign =
  /received|invalid (input|string|option|key|element|uuid)|must match pattern|expected |too (big|small)|unrecognized|in another form|another kind|undefined|\/\^/i
