import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { getHeader, readHeader } from '../clientAddress.ts'
import { badRequest, HttpFailure } from '../failure.ts'
import { readJson } from './readJson.ts'

/** Older clients send the project in this header. */
const header = 'x-project-id'

/**
 * Reads the project that a request names: in the query, in the header `x-project-id`, or in the
 * body. Throws {@link HttpFailure} if the body cannot name one.
 */
export async function readProjectId(c: Context): Promise<string | undefined> {
  const given = getNamed(c)
  if (given || c.req.method === 'GET' || c.req.method === 'HEAD') return given
  if ((await c.req.text()) === '') throw new HttpFailure(noObject)
  const body = await readJson(c)
  if ('failure' in body) throw new HttpFailure(body.failure)
  const { json } = body
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new HttpFailure(noObject)
  const { projectId } = json as { projectId?: unknown }
  if (projectId === undefined || typeof projectId === 'string') return projectId
  throw new HttpFailure(badRequest('projectId', 'projectId must be a string, such as "shop"'))
}

/**
 * Reads the project that a WebSocket upgrade names: in the query, or in the header `x-project-id`.
 */
export const readSocketProjectId = (url: URL, request: IncomingMessage): string | undefined =>
  url.searchParams.get('projectId') || getHeader(request, header) || undefined

/** Stores the accepted project of a request for {@link getProjectId}. */
export const setProjectId = (c: Context, projectId: string): void => c.set('projectId', projectId)

/**
 * The accepted project of a request. On routes that need no project, it is the project in the query
 * or the header.
 */
export const getProjectId = (c: Context): string | undefined => c.get('projectId') ?? getNamed(c)

const getNamed = (c: Context) => c.req.query('projectId') || readHeader(c, header)

const noObject = badRequest(
  'body',
  'The request body is not a JSON object, and neither the query nor the header x-project-id names a projectId',
)
