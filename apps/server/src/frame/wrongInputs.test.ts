import * as wire from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthClient, createAuthClient, type Reply } from '../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../test/auth/startAuthServer.ts'
import { foreign, makeSample, shapeOf } from '../../test/http/wrongInputs.ts'

const isRoute = (value: unknown): value is wire.Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const routes = Object.values(wire as Readonly<Record<string, unknown>>)
  .filter(isRoute)
  .filter(({ path }) => path.startsWith('/api/'))

let started: AuthServer
let client: AuthClient
beforeAll(async () => {
  started = await startAuthServer({ RATE_LIMIT_PER_SECOND: '100000' })
  client = await createAuthClient(started.server)
})
afterAll(() => started?.stop())

const wrong = [null, 7, -1.5, true, '', 'x', 'y'.repeat(30_000), [], ['x'], {}, { type: 'x' }]
const nested = `{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}`
const broken = ['', '{', '{"a":1,}', "{'a':1}", '<h1>', 'undefined', '\u0000', nested]

/** The bodies that differ from what a route reads in one place. */
function* getBodies({ body }: wire.Route): Generator<unknown> {
  yield* wrong
  const sample = makeSample(shapeOf(body))
  if (typeof sample !== 'object' || sample === null) return
  for (const name of Object.keys(sample)) {
    yield { ...sample, [name]: undefined }
    for (const value of wrong) yield { ...sample, [name]: value }
  }
}

/**
 * The part that a refusal of an input lacks. Undefined if it lacks nothing, or if the refusal has
 * another reason.
 */
function findFault({ status, code, body, text }: Reply): string | undefined {
  if (status >= 500 && code !== 'EMAIL_LOGIN_OFF' && code !== 'RECOVERY_PAUSED') return 'it fails'
  const isInput = code === 'INVALID_PARAMS' || code === 'PARSE_ERROR' || code === 'EMAIL_INVALID'
  if (!isInput) return foreign.test(text) ? 'words of the library' : undefined
  const [reason] = body.reasons as { field: string; description: string }[]
  if (reason === undefined || reason.field === code.toLowerCase()) return 'no field'
  if (foreign.test(text)) return 'words of the library'
  const isWhole = /^The request body is not valid JSON$|more than 64 levels/
  const isExpected =
    / must (be|have|not have) /.test(reason.description) &&
    /such as|one of|"|true|null|leave it out|\d/.test(reason.description)
  return isExpected || isWhole.test(reason.description) ? undefined : 'no expectation'
}

test('behavior: each route of the frame answers a wrong input with its expectation and an example', async () => {
  expect(routes.length).toBeGreaterThan(70)
  const faults: string[] = []
  for (const route of routes) {
    const { path } = route
    const bodies = new Set(Array.from(getBodies(route), (body) => JSON.stringify(body)))
    const check = async (text: string, isBroken: boolean) => {
      const reply = await client.call(path, undefined, { text })
      const fault =
        isBroken && reply.code !== 'PARSE_ERROR' ? 'not called broken' : findFault(reply)
      if (fault) faults.push(`${path} ${text.slice(0, 80)}: ${fault}: ${reply.text.slice(0, 300)}`)
    }
    await Promise.all([...bodies].map((text) => check(text, false)))
    await Promise.all(broken.map((text) => check(text, true)))
  }
  expect(faults).toEqual([])
}, 120_000)

test('behavior: the field and the sentence are those that the API gives', async () => {
  const ask = async (path: string, body: unknown) => {
    const { status, code, body: answer } = await client.call(path, body)
    return [status, code, ...answer.reasons]
  }
  const verify = { tx: 'AbCd-1_2AbCd-1_2AbCd-1', code: '123456' }
  expect(await ask('/api/login/verify', { ...verify, tx: undefined })).toEqual([
    400,
    'INVALID_PARAMS',
    { field: 'tx', description: 'tx is missing: it must be a string, such as "abc"' },
  ])
  expect(await ask('/api/login/verify', { ...verify, code: 'x' })).toEqual([
    400,
    'INVALID_PARAMS',
    { field: 'code', description: 'code must be six digits, such as "123456"' },
  ])
  const login = { projectId: 'local', origin: started.server.url }
  for (const email of [7, 'nobody'])
    expect(await ask('/api/login', { ...login, email })).toEqual([
      422,
      'EMAIL_INVALID',
      {
        field: 'email',
        description: `email must be ${email === 7 ? 'a string' : 'an email address'}, such as "ada@example.com"`,
      },
    ])
  expect(await ask('/api/login', [])).toEqual([
    400,
    'INVALID_PARAMS',
    { field: 'body', description: 'body must be a JSON object, such as {"name": "abc"}' },
  ])
})

test('behavior: reports of a policy and requests in another form are answered the same way', async () => {
  for (const [body, field, description] of [
    ['{', 'body', 'The request body is not valid JSON'],
    ['{"csp-report":1}', 'csp-report', 'csp-report must be a JSON object'],
    ['null', 'body', 'body must be a JSON object'],
  ] as const) {
    const reply = await client.post('/csp', body, { 'content-type': 'application/csp-report' })
    expect(reply.status).toBe(400)
    expect(reply.body.reasons[0]).toEqual({
      field,
      description: expect.stringContaining(description),
    })
  }
  const form = await client.post('/api/nonce', 'a=1', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([form.status, form.body.reasons]).toEqual([
    415,
    [{ field: 'content-type', description: 'content-type must be "application/json"' }],
  ])
  const large = await client.post('/api/nonce', JSON.stringify('y'.repeat(300_000)), {})
  expect([large.status, large.body.reasons[0].field]).toEqual([413, 'body'])
  const packed = await client.post('/api/nonce', '{}', { 'content-encoding': 'gzip' })
  expect([packed.status, packed.body.reasons[0].field]).toEqual([400, 'content-encoding'])
})
