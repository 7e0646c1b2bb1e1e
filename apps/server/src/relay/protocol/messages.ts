import { parseBoundedJson } from '@latchkey/wire'
import { splitObject } from '../../scanJson.ts'
import { plainPublication, prefixedCalls, type RelayCall, wholeCalls } from './calls.ts'
import { isTag, type RelayError, relayError, type Tag } from './relayError.ts'

/** The prefix of a relay's methods. Pushes use the same prefix as the client. */
export type Prefix = 'irn' | 'iridium' | 'waku'

/**
 * A parsed frame: a request, the response to a push, or an invalid frame with its error. The `id`
 * of a request is raw JSON.
 */
export type Frame =
  | {
      readonly kind: 'request'
      readonly id: string
      readonly prefix?: Prefix
      readonly call: RelayCall
    }
  | { readonly kind: 'answer'; readonly pushId: number; readonly accepted: boolean }
  | { readonly kind: 'invalid'; readonly id: string; readonly error: RelayError }

/** The default limit for a frame, in UTF-16 units. */
export const frameMaxLength = 1024 * 1024

const idMaxLength = 64
/** The id in the response to a frame whose id cannot be read. */
const noId = '0'

/** Parses a single frame. Never throws. Ids stay unchanged, including numbers beyond 2^53. */
export function parseFrame(text: string, maxLength = frameMaxLength): Frame {
  if (text.length > maxLength) return invalid(noId, 'PayloadSizeExceeded')
  const json = parseObject(text)
  if (json === undefined) return invalid(noId, 'Serialization')
  const id = getId(json, text)
  if (json.jsonrpc !== '2.0') return invalid(id ?? noId, 'InvalidJsonRpcVersion')
  if (id === undefined) return invalid(noId, 'InvalidRequestId')
  if (typeof json.method === 'string') return parseRequest(id, json.method, json.params)
  if ('method' in json) return invalid(id, 'InvalidMethod')
  const refused = 'error' in json
  if (refused === 'result' in json) return invalid(id, 'InvalidMethod')
  if (typeof json.id !== 'number' || !Number.isSafeInteger(json.id))
    return invalid(id, 'InvalidRequestId')
  return { kind: 'answer', pushId: json.id, accepted: !refused }
}

function parseRequest(id: string, method: string, params: unknown): Frame {
  const plain = method === 'irn_publish' ? plainPublication(params) : undefined
  if (plain) {
    const call: RelayCall = { name: 'publish', publications: [plain] }
    return { kind: 'request', id, prefix: 'irn', call }
  }
  const [, prefix, name] = /^(irn|iridium|waku)_(\w+)$/.exec(method) ?? []
  const schema = name === undefined ? wholeCalls.get(method) : prefixedCalls.get(name)
  if (schema === undefined) return invalid(id, 'InvalidMethod')
  const parsed = schema.safeParse(params)
  if (parsed.success)
    return { kind: 'request', id, call: parsed.data, ...(isPrefix(prefix) && { prefix }) }
  const reasons = parsed.error.issues.map((issue) => issue.message)
  return invalid(id, reasons.find(isTag) ?? 'InvalidParams')
}

const isPrefix = (text: string | undefined): text is Prefix =>
  text === 'irn' || text === 'iridium' || text === 'waku'

const invalid = (id: string, tag: Tag): Frame => ({ kind: 'invalid', id, error: relayError(tag) })

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = parseBoundedJson(text)
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}

const isRecord = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function getId({ id }: Record<string, unknown>, text: string): string | undefined {
  if (typeof id === 'string') return id.length <= idMaxLength ? JSON.stringify(id) : undefined
  if (typeof id !== 'number') return undefined
  if (Number.isSafeInteger(id)) return String(id)
  // Clients usually put the id first. JSON.parse takes the last `id`, so both are compared.
  const first = /^\{"id":(-?\d+),/.exec(text)?.[1]
  if (first !== undefined && Number(first) === id && first.length <= idMaxLength) return first
  const raw = new Map(splitObject(text)).get('id') ?? ''
  return raw.length <= idMaxLength && /^-?\d+$/.test(raw) ? raw : undefined
}
