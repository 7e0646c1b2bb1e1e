import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errorStatus, errors, getRpcCode } from '@latchkey/wire'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { answerError, failureResponse, HttpFailure, toFailure } from './failure.ts'

/** Every code of the error table that the server's own sources contain. */
function namedCodes(): ErrorCode[] {
  const dir = fileURLToPath(new URL('../', import.meta.url))
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) =>
      readFileSync(`${dir}/${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
    )
  const words = new Set(texts.flatMap((text) => text.match(/(?<=')[A-Z][A-Z0-9_]+(?=')/g) ?? []))
  return Object.keys(errors).filter((code): code is ErrorCode => words.has(code))
}

test('default: every error that can leave the server has an HTTP status', () => {
  const codes = namedCodes()
  expect(codes).toContain('ORIGIN_NOT_ALLOWED')
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter((code) => !(code in errorStatus))).toEqual([])
})

test('default: responses have the status of their failure, except JSON-RPC responses, which have their own', () => {
  const statuses = Object.entries(errorStatus).flatMap(([code, status]) =>
    getRpcCode(code as ErrorCode) === undefined ? [status] : [],
  )
  for (const status of statuses) expect(status >= 400 && status < 600).toBe(true)
})

test('behavior: a thrown failure becomes the same response as a returned one, with or without middleware', async () => {
  const failure = {
    status: 429,
    field: 'limit',
    description: 'Wait',
    retryAfterSeconds: 1.2,
  } as const
  const headers = { 'access-control-allow-credentials': 'true' }
  const build = () =>
    new Hono()
      .use(async (c, next) => {
        await next()
        c.header('cache-control', 'no-store')
        c.res.headers.append('vary', 'Origin')
      })
      .route(
        '/',
        new Hono()
          .get('/returned', () => failureResponse(failure, headers))
          .get('/thrown', () => {
            throw new HttpFailure(failure, headers)
          })
          .get('/thrown/later', async () => {
            await Promise.resolve()
            throw new HttpFailure(failure, headers)
          }),
      )
  const read = async (app: Hono, path: string) => {
    const response = await app.request(path)
    const { status } = response
    return { status, headers: [...response.headers], body: await response.text() }
  }
  for (const app of [build().onError(answerError), build()]) {
    const expected = await read(app, '/returned')
    expect(expected.status).toBe(429)
    expect(Object.fromEntries(expected.headers)).toEqual({
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'retry-after': '2',
      vary: 'Origin',
    })
    expect(await read(app, '/thrown')).toEqual(expected)
    expect(await read(app, '/thrown/later')).toEqual(expected)
  }
  expect(toFailure(new HttpFailure(failure))).toBe(failure)
})
