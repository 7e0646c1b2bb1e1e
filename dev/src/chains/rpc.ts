import { z } from 'zod'

const answerSchema = z.object({
  result: z.unknown(),
  error: z.object({ message: z.string() }).optional(),
})

/** One JSON-RPC 2.0 call over HTTP; resolves to the result, throws the error's message. */
export async function callRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = answerSchema.parse(await response.json())
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
