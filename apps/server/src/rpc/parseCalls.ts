import { parseBoundedJson } from '@latchkey/wire'
import { splitArray, splitObject } from '../scanJson.ts'

/** One JSON-RPC call. `id` and `params` are raw JSON and stay unchanged. */
export type RpcCall = {
  readonly id: string
  readonly method: string
  readonly params: string | undefined
}

/**
 * A body with one or many calls. An entry that is not a valid call has only its id, or `null` if
 * that is invalid too.
 */
export type RpcBody = {
  readonly batch: boolean
  readonly calls: readonly (RpcCall | { readonly id: string; readonly method?: never })[]
}

/**
 * Reads a JSON-RPC 2.0 body. Undefined if it is not JSON or too deep. A call without an id is
 * invalid, because it could not be answered.
 */
export function parseCalls(text: string): RpcBody | undefined {
  let json: unknown
  try {
    json = parseBoundedJson(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(json)) return { batch: false, calls: [parseCall(text, json)] }
  const parts = splitArray(text)
  return { batch: true, calls: json.map((entry, index) => parseCall(parts[index] ?? '', entry)) }
}

function parseCall(text: string, json: unknown): RpcBody['calls'][number] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { id: 'null' }
  const members = splitObject(text)
  const fields = new Map(members)
  const id = fields.get('id')
  if (id === undefined || !isId(id)) return { id: 'null' }
  // If two names are equal, another parser may read the other one, which could bypass the list of
  // methods.
  const repeated = members.length !== fields.size
  const method: unknown = 'method' in json ? json.method : undefined
  const params = fields.get('params')
  if (repeated || typeof method !== 'string' || !isParams(params)) return { id }
  return { id, method, params }
}

const isId = (raw: string) => /^(?:"|-?\d|null$)/.test(raw) && raw.length <= 1024

const isParams = (raw: string | undefined) =>
  raw === undefined || raw === 'null' || raw.startsWith('[') || raw.startsWith('{')
