import * as z from 'zod/mini'
import { bytesToHex } from '../encoding/bytesToHex.ts'
import { parseBoundedJson } from '../encoding/parseBoundedJson.ts'
import { type ErrorCode, errors, isError, LatchkeyError } from '../errors/errors.ts'
import { canParseUrl } from '../olderBrowsers.ts'

/**
 * The messages between two windows: requests go from the window that opened the channel to the
 * window that serves it, events go back. Values are sent as JSON and are parsed on both sides, so a
 * schema must accept what it returns.
 */
export type Protocol = {
  readonly requests: Readonly<
    Record<string, { readonly params: z.ZodMiniType; readonly result: z.ZodMiniType }>
  >
  readonly events: Readonly<Record<string, z.ZodMiniType>>
}

export type ChannelMethod<P extends Protocol> = keyof P['requests'] & string
export type Params<P extends Protocol, M extends ChannelMethod<P>> = z.output<
  P['requests'][M]['params']
>
export type Result<P extends Protocol, M extends ChannelMethod<P>> = z.output<
  P['requests'][M]['result']
>
export type EventName<P extends Protocol> = keyof P['events'] & string
export type EventData<P extends Protocol, E extends EventName<P>> = z.output<P['events'][E]>

const fieldMaxLength = 180

const id = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const sequence = z.int().check(z.positive())
const errorData = z.record(z.string(), z.union([z.string(), z.number()]))

/**
 * The first messages, sent between the windows directly. A `hello` transfers one port; everything
 * else goes through that port.
 */
export const greeting = z.discriminatedUnion('latchkey', [
  z.strictObject({ latchkey: z.literal('ready') }),
  z.strictObject({ latchkey: z.literal('hello'), id }),
])
export type Greeting = z.output<typeof greeting>

/**
 * Every message on the port. `sequence` grows with each message of a direction; a message whose
 * `sequence` does not grow is a replay.
 */
export const message = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('welcome'), sequence, id }),
  z.strictObject({
    kind: z.literal('request'),
    sequence,
    id,
    method: z.string(),
    params: z.optional(z.unknown()),
  }),
  z.strictObject({
    kind: z.literal('result'),
    sequence,
    id,
    result: z.optional(z.unknown()),
  }),
  z.strictObject({ kind: z.literal('error'), sequence, id, code: z.string(), data: errorData }),
  z.strictObject({
    kind: z.literal('event'),
    sequence,
    name: z.string(),
    data: z.optional(z.unknown()),
  }),
  z.strictObject({ kind: z.literal('cancel'), sequence, id }),
  z.strictObject({ kind: z.literal('bye'), sequence }),
])
export type ChannelMessage = z.output<typeof message>

type WithoutSequence<M> = M extends ChannelMessage ? Omit<M, 'sequence'> : never
/** A message before the port numbers it. */
export type Draft = WithoutSequence<ChannelMessage>

/**
 * Value of `text` if it is JSON of at most 64 levels that `schema` accepts, else undefined. Never
 * throws.
 */
export function parseText<S extends z.ZodMiniType>(
  schema: S,
  text: string,
): z.output<S> | undefined {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch {
    return undefined
  }
  const parsed = tryParse(schema, value)
  return parsed?.success ? parsed.data : undefined
}

/**
 * The result of `schema` for `value`; undefined if parsing throws, for example if the value is too
 * deep for the stack.
 */
export function tryParse<S extends z.ZodMiniType>(schema: S, value: unknown) {
  try {
    return z.safeParse(schema, value)
  } catch {
    return undefined
  }
}

/** Parses `value`, or throws the error that `refuse` makes of the reason. */
export function parseValue<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  refuse: (reason: string) => LatchkeyError,
): z.output<S> {
  const parsed = tryParse(schema, value)
  if (parsed?.success) return parsed.data
  // The reason contains only the field: the messages of the schema library are for developers of
  // the schemas.
  const field = parsed?.error.issues[0]?.path.join('.') || 'value'
  throw refuse(`${field.slice(0, fieldMaxLength)}: not accepted`)
}

/**
 * The part of an error that leaves this window: our code and data. Any other error becomes
 * INTERNAL, so nothing leaks.
 */
export function packError(error: unknown): { code: string; data: Record<string, string | number> } {
  if (!isError(error)) return { code: 'INTERNAL', data: {} }
  const data = z.safeParse(errorData, error.data)
  return { code: error.code, data: data.success ? data.data : {} }
}

/** Restores an error that another window packed. An unknown code becomes INTERNAL. */
export function unpackError(packed: {
  code: string
  data: Record<string, string | number>
}): LatchkeyError {
  // The constructor's type requires the data of each code, which is only known at run time.
  const Rebuilt = LatchkeyError as unknown as new (
    code: ErrorCode,
    options: { data: Record<string, string | number> },
  ) => LatchkeyError
  const known = Object.hasOwn(errors, packed.code) ? (packed.code as ErrorCode) : 'INTERNAL'
  return new Rebuilt(known, { data: packed.data })
}

/**
 * Refuses `*`, `null` and everything that is not an origin in its own spelling. Throws
 * INVALID_PARAMS.
 */
export function assertOrigin(origin: string): void {
  if (canParseUrl(origin) && new URL(origin).origin === origin) return
  throw invalidParamsError(`${origin} is not an origin`)
}

export const invalidParamsError = (reason: string): LatchkeyError =>
  new LatchkeyError('INVALID_PARAMS', { data: { reason } })

/** 128 random bits in hex; the form of every id on a channel. */
export const randomId = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)))

/** The table's own entry, never an inherited property. */
export const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
