import type { Context } from 'hono'
import * as z from 'zod'
import type * as core from 'zod/v4/core'
import { failureResponse } from './failure.ts'

/** Parses the query string with `schema`, or returns a 400 response. If a name is repeated, the first value counts. */
export function parseQuery<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
): core.output<Schema> | Response {
  const parsed = z.safeParse(schema, c.req.query())
  return parsed.success ? parsed.data : rejected(400, parsed.error)
}

/**
 * Parses the JSON body with `schema`, whatever the content type, or returns a response: 400 if it is not JSON, 422 if it is
 * JSON of another shape.
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

/** Parses the body as JSON, or returns a 400 response. */
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
