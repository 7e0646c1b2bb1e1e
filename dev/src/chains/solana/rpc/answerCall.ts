import * as z from 'zod'
import { RpcError } from './rpcError.ts'
import { toJson } from './toJson.ts'

/** Calls a method, or throws an RpcError. */
export type Call = (method: string, params: unknown) => unknown

const maxBatch = 100
const callSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
})

/**
 * Runs a JSON-RPC call or batch and returns the response; both are JSON strings. Never throws. A
 * call without an id gets no response.
 */
export async function answerCall(text: string, call: Call): Promise<string | undefined> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return toJson(toError(null, new RpcError(-32700, 'Parse error')))
  }
  if (!Array.isArray(body)) {
    const answer = await answerOne(body, call)
    return answer && toJson(answer)
  }
  if (body.length === 0 || body.length > maxBatch)
    return toJson(toError(null, new RpcError(-32600, 'Invalid request')))
  const answers: unknown[] = []
  for (const each of body) answers.push(await answerOne(each, call))
  const replies = answers.filter((answer) => answer !== undefined)
  return replies.length === 0 ? undefined : toJson(replies)
}

async function answerOne(body: unknown, call: Call) {
  const parsed = callSchema.safeParse(body)
  if (!parsed.success) return toError(null, new RpcError(-32600, 'Invalid request'))
  const { id, method, params } = parsed.data
  try {
    const result = await call(method, params)
    return id === undefined ? undefined : { jsonrpc: '2.0', result: result ?? null, id }
  } catch (error) {
    return id === undefined ? undefined : toError(id, error)
  }
}

function toError(id: string | number | null, error: unknown) {
  if (!(error instanceof RpcError)) {
    const message = `Internal error: ${error instanceof Error ? error.message : String(error)}`
    return { jsonrpc: '2.0', error: { code: -32603, message }, id }
  }
  const { code, message, data } = error
  return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id }
}
