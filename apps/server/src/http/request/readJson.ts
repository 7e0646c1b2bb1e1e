import type { Context } from 'hono'
import { readHeader } from '../clientAddress.ts'
import { badRequest, type Failure } from '../failure.ts'

/** Reads a request's body as JSON, whatever its content type. The failure says why it cannot be read. */
export async function readJson(
  c: Context,
): Promise<{ readonly json: unknown } | { readonly failure: Failure }> {
  const encoding = readHeader(c, 'content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return { failure: encoded }
  try {
    return { json: JSON.parse(await c.req.text()) }
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
const notJson = badRequest('body', 'The request body is not valid JSON')
