import { isTooDeep, jsonMaxDepth } from '@latchkey/wire'
import type { Context } from 'hono'
import { readHeader } from '../clientAddress.ts'
import { badRequest, type Failure } from '../failure.ts'

/** Reads a request's body as JSON and ignores the content type. The failure names the reason. */
export async function readJson(
  c: Context,
): Promise<{ readonly json: unknown } | { readonly failure: Failure }> {
  const encoding = readHeader(c, 'content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return { failure: encoded }
  const text = await c.req.text()
  if (isTooDeep(text)) return { failure: tooDeep }
  try {
    return { json: JSON.parse(text) }
  } catch {
    return { failure: notJson }
  }
}

const encoded: Failure = {
  status: 415,
  field: 'content-encoding',
  description:
    'Compressed request bodies are not supported: send the JSON without content-encoding',
}
const tooDeep = badRequest(
  'body',
  `The request body has more than ${jsonMaxDepth} levels of lists and objects`,
)
const notJson = badRequest('body', 'The request body is not valid JSON')
