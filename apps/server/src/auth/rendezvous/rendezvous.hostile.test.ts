import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthClient } from '../../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { createWaits } from '../waitFor.ts'
import { takeRendezvous } from './rendezvous.ts'

let started: AuthServer
beforeAll(async () => {
  started = await startAuthServer()
})
afterAll(() => started?.stop())

const newClient = () => createAuthClient(started.server)
const newId = () => randomBytes(16).toString('base64url')

/** A call of a window, which has no key. */
async function post(path: string, body: object) {
  const { frameUrl } = started.server
  const headers = { origin: frameUrl, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${frameUrl}/api/rendezvous/${path}`, init)
  return {
    status: response.status,
    body: (await response.json()) as { box?: string; code?: string },
  }
}

test('default: a question and its answer pass, each once', async () => {
  const frame = await newClient()
  const id = newId()
  // The window may be faster than the frame.
  const waiting = post('take', { id })
  expect((await frame.call('/api/rendezvous/offer', { id, box: 'question' })).status).toBe(200)
  expect((await waiting).body).toEqual({ box: 'question' })
  const asked = frame.call('/api/rendezvous/await', { id })
  expect((await post('answer', { id, box: 'answer' })).status).toBe(200)
  expect((await asked).body).toEqual({ box: 'answer' })
})

test('behavior: a request that is stored during an empty response is taken at the next poll', async () => {
  const { db } = started.server.services
  if (!db) throw new Error('The server has no database')
  const frame = await newClient()
  const id = newId()
  let isStored = false
  const slow = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isStored) await frame.call('/api/rendezvous/offer', { id, box: 'question' })
      isStored = true
      return result
    },
  })
  const { signal } = new AbortController()
  const waits = createWaits()
  const auth = { db: slow, clock: () => started.time.nowMs, stopping: signal, waits }
  const call = { body: { id }, signal, address: '127.0.0.1' }
  expect(await takeRendezvous(auth, call)).toEqual({ box: 'question' })
})

test('blocked popup: replay: nothing is taken, answered or read twice', async () => {
  const frame = await newClient()
  const id = newId()
  await frame.call('/api/rendezvous/offer', { id, box: 'question' })
  expect((await frame.call('/api/rendezvous/offer', { id, box: 'other' })).code).toBe(
    'INVALID_PARAMS',
  )
  const takes = await Promise.all(Array.from({ length: 10 }, () => post('take', { id })))
  expect(takes.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(takes.filter(({ body }) => body.code === 'LOGIN_ENDED')).toHaveLength(9)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => post('answer', { id, box: `answer${index}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await frame.call('/api/rendezvous/await', { id })).status).toBe(200)
  expect((await frame.call('/api/rendezvous/await', { id })).code).toBe('LOGIN_ENDED')
  expect((await post('answer', { id, box: 'late' })).body.code).toBe('LOGIN_ENDED')
})

test('blocked popup: inject: no response before the request, to an unknown id, or for another key', async () => {
  const frame = await newClient()
  const id = newId()
  expect((await post('answer', { id, box: 'early' })).body.code).toBe('LOGIN_ENDED')
  await frame.call('/api/rendezvous/offer', { id, box: 'question' })
  expect((await post('answer', { id, box: 'early' })).body.code).toBe('LOGIN_ENDED')
  await post('take', { id })
  await post('answer', { id, box: 'answer' })
  const thief = await newClient()
  expect((await thief.call('/api/rendezvous/await', { id })).code).toBe('LOGIN_ENDED')
  expect((await post('await', { id })).status).toBe(401)
  expect((await post('offer', { id: newId(), box: 'x' })).status).toBe(401)
  expect((await frame.call('/api/rendezvous/await', { id })).body).toEqual({ box: 'answer' })
})

test('blocked popup: delay: after ten minutes all of it has ended', async () => {
  const { time } = started
  const frame = await newClient()
  const [fresh, taken] = [newId(), newId()]
  for (const id of [fresh, taken])
    await frame.call('/api/rendezvous/offer', { id, box: 'question' })
  await post('take', { id: taken })
  time.nowMs += 10 * 60_000
  expect((await post('answer', { id: taken, box: 'late' })).body.code).toBe('LOGIN_ENDED')
  expect((await frame.call('/api/rendezvous/await', { id: taken })).code).toBe('LOGIN_ENDED')
  expect((await frame.call('/api/rendezvous/await', { id: fresh })).code).toBe('LOGIN_ENDED')
})

test('param: sizes, forms and limits', async () => {
  const { time } = started
  const frame = await newClient()
  const offer = async (body: object) => (await frame.call('/api/rendezvous/offer', body)).code
  expect(await offer({ id: 'short', box: 'x' })).toBe('INVALID_PARAMS')
  for (const box of ['', 'not base64!', 'x'.repeat(200_001)])
    expect(await offer({ id: newId(), box })).toBe('INVALID_PARAMS')
  for (let count = 0; count < 120; count++)
    expect(await offer({ id: newId(), box: 'x' })).toBe(undefined)
  expect(await offer({ id: newId(), box: 'x' })).toBe('LOGIN_THROTTLED')
  time.nowMs += 3_600_000
  expect(await offer({ id: newId(), box: 'x' })).toBe(undefined)
})

test('error: of many waiting questions of one address the oldest end early, and others wait on', async () => {
  const many = Array.from({ length: 40 }, () => post('take', { id: newId() }))
  const ended = await Promise.all(many.slice(0, 8))
  expect(ended.map(({ body }) => body)).toEqual(Array(8).fill({}))
  const frame = await newClient()
  const id = newId()
  const waiting = post('take', { id })
  await frame.call('/api/rendezvous/offer', { id, box: 'question' })
  expect((await waiting).body).toEqual({ box: 'question' })
})
