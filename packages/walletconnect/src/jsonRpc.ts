import { jsonMaxDepth, LatchkeyError } from '@latchkey/wire'
import {
  integer,
  literal,
  object,
  optional,
  read,
  type Shape,
  string,
  union,
  unknown,
} from './shape.ts'

/**
 * Id of a call. A bigint if it is a number beyond the safe integers, which some native clients
 * send.
 */
export type RpcId = number | string | bigint

export type RpcRequest = { id: RpcId; method: string; params: unknown }
export type RpcError = { code: number; message: string; data?: unknown }
export type RpcResponse = { id: RpcId; result: unknown } | { id: RpcId; error: RpcError }
export type RpcMessage = RpcRequest | RpcResponse

/**
 * A new id: milliseconds and three random digits, 16 digits in all. `random` gives numbers in [0,
 * 1).
 */
export const newRpcId = (nowMs: number, random: () => number): number =>
  Math.floor(nowMs) * 1000 + Math.min(999, Math.floor(random() * 1000))

/**
 * The time, in milliseconds, when an id of {@link newRpcId} or of a typical peer was created. Newer
 * calls of the same kind supersede older ones.
 */
export const getRpcIdTime = (id: number): number => Math.floor(id / 1000)

/**
 * Returns the id to use locally: the same id if it is a safe integer of at least zero that is not
 * in use, else a new id and the original in `wireId`.
 */
export function toLocalId(
  id: RpcId,
  fresh: () => number,
  isTaken: (id: number) => boolean = () => false,
): { id: number; wireId?: string } {
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 && !isTaken(id)) return { id }
  return { id: fresh(), wireId: `${typeof id === 'string' ? 's' : 'b'}${id}` }
}

/** The id as its sender wrote it. */
export function toRpcId({ id, wireId }: { id: number; wireId?: string | undefined }): RpcId {
  if (wireId === undefined) return id
  return wireId.startsWith('s') ? wireId.slice(1) : BigInt(wireId.slice(1))
}

const number: Shape<number> = (value) => {
  if (typeof value === 'number') return value
  throw new TypeError('not a number')
}
const envelope = { jsonrpc: literal('2.0'), id: union(number, string) }
const head = object(envelope)
const request = object({ ...envelope, method: string, params: optional(unknown) })
const failure = object({
  ...envelope,
  error: object({ code: integer, message: string, data: optional(unknown) }),
})

/**
 * Reads one JSON-RPC 2.0 message. Throws PARSE_ERROR if it is not JSON or has more than 64 levels
 * of lists and objects, INVALID_REQUEST if it is not a message.
 */
export function parseRpc(text: string): RpcMessage {
  const { json, idLiteral } = parseJson(text)
  if (typeof json !== 'object' || json === null) throw new LatchkeyError('INVALID_REQUEST')
  const kinds = ['method', 'result', 'error'].filter((kind) => Object.hasOwn(json, kind))
  if (kinds.length !== 1) throw new LatchkeyError('INVALID_REQUEST')
  if (kinds[0] === 'method') {
    const { id, method, params } = check(request, json)
    return { id: exactId(id, idLiteral), method, params }
  }
  if (kinds[0] === 'error') {
    const { id, error } = check(failure, json)
    const { data, ...rest } = error
    return { id: exactId(id, idLiteral), error: data === undefined ? rest : { ...rest, data } }
  }
  const { id } = check(head, json)
  return { id: exactId(id, idLiteral), result: (json as { result: unknown }).result }
}

/** Writes one JSON-RPC 2.0 message. A bigint id is written as a number. */
export function formatRpc({ id, ...rest }: RpcMessage): string {
  const literal = typeof id === 'bigint' ? String(id) : JSON.stringify(id)
  // Without a result it would not be a response.
  const body = 'result' in rest && rest.result === undefined ? { result: null } : rest
  return `{"id":${literal},${JSON.stringify({ jsonrpc: '2.0', ...body }).slice(1)}`
}

function parseJson(text: string): { json: unknown; idLiteral: string } {
  try {
    const json = JSON.parse(text)
    return { json, idLiteral: findIdLiteral(text) }
  } catch (cause) {
    throw new LatchkeyError('PARSE_ERROR', { cause })
  }
}

function check<Value>(shape: Shape<Value>, json: unknown): Value {
  const found = read(shape, json)
  if (found === undefined) throw new LatchkeyError('INVALID_REQUEST')
  return found
}

// JSON.parse rounds numbers that do not fit a double, so reads such an id from the JSON source.
function exactId(id: number | string, literal: string): RpcId {
  if (typeof id === 'string' || Number.isSafeInteger(id)) return id
  if (!/^-?\d{1,40}$/.test(literal)) throw new LatchkeyError('INVALID_REQUEST')
  return BigInt(literal)
}

/** The id as written in valid JSON, or an empty string. Throws if the JSON has too many levels. */
function findIdLiteral(text: string): string {
  const token = /"(?:[^"\\]+|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g
  let depth = 0
  let key: string | undefined
  let previous = ''
  let found = ''
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') depth += 1
    else if (part === '}' || part === ']') depth -= 1
    else if (part === ':' && depth === 1) key = JSON.parse(previous)
    else if (part === ',' && depth === 1) key = undefined
    // The last of several ids wins, like in JSON.parse.
    else if (depth === 1 && key === 'id') found = part
    if (depth > jsonMaxDepth) throw new RangeError('too many levels')
    previous = part
  }
  return found
}
