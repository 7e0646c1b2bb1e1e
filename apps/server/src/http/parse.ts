import type { Context } from 'hono'
import * as z from 'zod'
import type * as core from 'zod/v4/core'
import { failureResponse } from './failure.ts'

/** The query string as `schema` has it, or the 400 to answer with. A repeated name counts once, first value. */
export function parseQuery<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
): core.output<Schema> | Response {
  const parsed = z.safeParse(schema, c.req.query())
  return parsed.success ? parsed.data : rejected(400, parsed.error)
}

/**
 * The JSON body as `schema` has it, whatever the content type says, or the answer to give: 400 when it is not JSON,
 * 422 when it is JSON of another shape.
 */
export async function parseBody<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
): Promise<core.output<Schema> | Response> {
  const body = await readJson(c)
  if (body instanceof Response) return body
  const parsed = z.safeParse(schema, body.json)
  return parsed.success ? parsed.data : rejected(422, parsed.error)
}

/** The body as JSON, or the 400 to answer with. */
async function readJson(c: Context): Promise<{ json: unknown } | Response> {
  try {
    return { json: JSON.parse(await c.req.text()) }
  } catch {
    return failureResponse({
      status: 400,
      field: 'body',
      description: 'The request body is not valid JSON',
    })
  }
}

function rejected(status: 400 | 422, error: core.$ZodError): Response {
  const issue = error.issues[0]
  const field = issue?.path.join('.') || (status === 400 ? 'query' : 'body')
  const isMissing = issue?.code === 'invalid_type' && issue.message.endsWith('received undefined')
  const description = isMissing ? `${field} is missing` : issue?.message
  return failureResponse({
    status,
    field,
    description: description ?? 'The request is not valid',
  })
}
