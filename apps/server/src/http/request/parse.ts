import type { Context } from 'hono'
import * as z from 'zod'
import type * as core from 'zod/v4/core'
import { failureResponse } from '../failure.ts'
import { describeIssue } from './describeIssue.ts'
import { getProjectId } from './projectId.ts'
import { readJson } from './readJson.ts'

/**
 * Parses the query string with `schema`, or returns a 400 response. If a name is repeated, the
 * first value counts. `projectId` is the accepted project, wherever the request names it.
 */
export function parseQuery<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
): core.output<Schema> | Response {
  const parsed = safeParse(schema, withProject(c, c.req.query()), 'query')
  return parsed.success ? parsed.data : rejected(400, parsed.error, 'query')
}

/**
 * Parses the JSON body with `schema` and ignores the content type. Returns a response for a bad
 * body: 400 if the body is not JSON, `status` if the JSON has a wrong shape. `projectId` is as in
 * {@link parseQuery}.
 */
export async function parseBody<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
  status: 400 | 422 = 422,
): Promise<core.output<Schema> | Response> {
  const body = await readJson(c)
  if ('failure' in body) return failureResponse(body.failure)
  const parsed = safeParse(schema, withProject(c, body.json), 'body')
  return parsed.success ? parsed.data : rejected(status, parsed.error, 'body')
}

const safeParse = <Schema extends core.$ZodType>(schema: Schema, value: unknown, whole: string) =>
  z.safeParse(schema, value, { error: (issue) => describeIssue(issue, whole) })

function withProject(c: Context, value: unknown): unknown {
  const projectId = getProjectId(c)
  if (projectId === undefined || typeof value !== 'object' || !value || Array.isArray(value))
    return value
  return { ...value, projectId }
}

/**
 * The response to a JSON body of the wrong shape. The schema's messages come from
 * {@link describeIssue}.
 */
export const refuseBody = (error: core.$ZodError): Response => rejected(400, error, 'body')

function rejected(status: 400 | 422, error: core.$ZodError, whole: string): Response {
  const [issue] = error.issues
  const field = issue?.path.join('.') || whole
  const description = issue?.message ?? `The ${whole} is not valid`
  return failureResponse({ status, field, description })
}
