import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../test/startTestServer.ts'
import { createProjectCheck } from './projects/createProjectCheck.ts'
import { listenSockets } from './sockets.ts'

let platform: TestServer
let server: Server
let url: string
let sockets: ReturnType<typeof listenSockets>

beforeEach(async () => {
  const limits = { RATE_LIMIT_BURST: '4', RATE_LIMIT_PER_SECOND: '1' }
  const nowMs = Date.now()
  // Its clock does not move, so a stall of a second refills nothing.
  platform = await startTestServer(limits, { clock: () => nowMs })
  server = createServer()
  sockets = listenSockets(
    server,
    { ...platform.services, authorize: createProjectCheck(platform.services) },
    {
      '/v1': {
        admit: (asked) =>
          asked.searchParams.get('chainId') === 'bad'
            ? { status: 400, field: 'chainId', description: 'No such chain' }
            : (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)),
      },
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterEach(async () => {
  await sockets.close()
  server.close()
  await platform.stop()
})

const refusal = (path: string, headers = {}) =>
  new Promise<{ status: number | undefined; retryAfter: string | undefined; body: string }>(
    (resolve, reject) => {
      const socket = new WebSocket(`${url}${path}`, { headers })
      socket.on('open', () => reject(new Error('it opened')))
      socket.on('error', () => {})
      socket.on('unexpected-response', (_, response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            retryAfter: response.headers['retry-after'],
            body,
          }),
        )
      })
    },
  )

test('default: messages go both ways; shutdown closes with 1001', async () => {
  const socket = new WebSocket(`${url}/v1?projectId=local`)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send('hello')
  expect(String(await new Promise((resolve) => socket.once('message', resolve)))).toBe('echo hello')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await sockets.close()
  expect(await closed).toBe(1001)
})

test('error: other paths, missing project, foreign origin and the route itself refuse', async () => {
  expect(await refusal('/nowhere?projectId=local')).toMatchObject({ status: 404 })
  expect(await refusal('/constructor?projectId=local')).toMatchObject({ status: 404 })
  expect(await refusal('/v1')).toMatchObject({ status: 400 })
  expect(await refusal('/v1?projectId=local', { origin: 'https://evil.example' })).toMatchObject({
    status: 403,
    body: '{"status":"FAILED","reasons":[{"field":"origin","description":"Unauthorized: origin not allowed"}]}',
  })
  expect(await refusal('/v1?projectId=local&chainId=bad')).toMatchObject({
    status: 400,
    body: '{"status":"FAILED","reasons":[{"field":"chainId","description":"No such chain"}]}',
  })
})

test('error: a page whose own name points here is refused', async () => {
  const origin = 'http://evil.example'
  const rebound = { host: 'evil.example', origin, 'sec-fetch-site': 'same-origin' }
  expect(await refusal('/v1?projectId=local', rebound)).toMatchObject({ status: 403 })
})

test('error: a connection whose upgrade is refused ends at once, even if its client keeps it open', async () => {
  const { port } = new URL(url)
  const request =
    'GET /nowhere HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(request)
  await once(socket, 'data')
  const count = () => promisify(server.getConnections.bind(server))()
  await expect.poll(count, { timeout: 2_000 }).toBe(0)
  socket.destroy()
})

test('error: too many upgrades get 429 with Retry-After', async () => {
  for (let index = 0; index < 4; index += 1) await refusal('/v1')
  expect(await refusal('/v1')).toMatchObject({ status: 429, retryAfter: '1' })
})
