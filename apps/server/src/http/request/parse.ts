import type { Context } from 'hono'
import * as z from 'zod'
import type * as core from 'zod/v4/core'
import { badRequest, HttpFailure } from '../failure.ts'
import { describeIssue } from './describeIssue.ts'
import { getProjectId } from './projectId.ts'
import { readJson } from './readJson.ts'

/**
 * Parses the query string with `schema`. Throws {@link HttpFailure} with status 400. If a name is
 * repeated, the first value counts. `projectId` is the accepted project, wherever the request names
 * it.
 */
export function parseQuery<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
): core.output<Schema> {
  return parse(schema, withProject(c, c.req.query()), { whole: 'query', status: 400 })
}

/**
 * Parses the JSON body with `schema` and ignores the content type. Throws {@link HttpFailure} for a
 * bad body: with 400 if the body is not JSON, `status` if the JSON has a wrong shape. `projectId`
 * is as in {@link parseQuery}.
 */
export async function parseBody<Schema extends core.$ZodType>(
  c: Context,
  schema: Schema,
  status: 400 | 422 = 422,
): Promise<core.output<Schema>> {
  const body = await readJson(c)
  if ('failure' in body) throw new HttpFailure(body.failure)
  return checkBody(schema, withProject(c, body.json), status)
}

/**
 * The position that a request's cursor holds; undefined without a cursor. Throws
 * {@link HttpFailure} if `read` returns no position: the cursor is invalid, or belongs to another
 * account or network.
 */
export function parseCursor<Position>(
  text: string | undefined,
  read: (text: string) => Position | undefined,
): Position | undefined {
  if (text === undefined) return undefined
  const position = read(text)
  if (position === undefined) throw new HttpFailure(wrongCursor)
  return position
}

const wrongCursor = badRequest(
  'cursor',
  'The cursor is not for this address and chainId. Start without a cursor',
)

/** Parses the value of a JSON body. Throws {@link HttpFailure} with `status`. */
export const checkBody = <Schema extends core.$ZodType>(
  schema: Schema,
  value: unknown,
  status: 400 | 422 = 400,
): core.output<Schema> => parse(schema, value, { whole: 'body', status })

function parse<Schema extends core.$ZodType>(
  schema: Schema,
  value: unknown,
  { whole, status }: { readonly whole: string; readonly status: 400 | 422 },
): core.output<Schema> {
  const parsed = z.safeParse(schema, value, { error: (issue) => describeIssue(issue, whole) })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') || whole
  const description = issue?.message ?? `The ${whole} is not valid`
  throw new HttpFailure({ status, field, description })
}

function withProject(c: Context, value: unknown): unknown {
  const projectId = getProjectId(c)
  if (projectId === undefined || typeof value !== 'object' || !value || Array.isArray(value))
    return value
  return { ...value, projectId }
}
