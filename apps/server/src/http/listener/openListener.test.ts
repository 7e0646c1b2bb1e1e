import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { startTestServer } from '../../../test/startTestServer.ts'
import { closeServer, listen } from './listen.ts'
import { openListener } from './openListener.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A listener that answers with the length of the received body. */
async function start(
  connections = { total: 100, perClient: 50 },
  times = { requestMs: 30_000, checkEveryMs: 1_000 },
  keepAliveMs = 75_000,
) {
  const server = openListener(
    { trustedProxies: 0, connections, keepAliveMs },
    {
      bodyMaxBytes: 100,
      times,
      listener(message, response) {
        const { rawBody } = message as { rawBody?: Buffer }
        response.end(String(rawBody?.length ?? 0))
      },
    },
  )
  const port = await listen(server, { host: '127.0.0.1', port: 0, variable: 'PORT' })
  ends.push(
    () => closeServer(server),
    () => server.closeAllConnections(),
  )
  return port
}

/** Connects from an address of this machine, writes, and collects the response. */
async function dial(port: number, from: string, written = '') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  ends.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(written)
  return socket
}

const read = async (socket: Socket) => {
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  return String(Buffer.concat(parts))
}

/** The response to an honest client at 127.0.0.99. */
async function ask(port: number, path: string, body?: string, host = `127.0.0.1:${port}`) {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, localAddress: '127.0.0.99', agent: false },
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, 'content-type': 'application/json' },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await text(response) }
}

const half = (port: number) =>
  `POST /v1?projectId=local&chainId=eip155:1 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`

test('error: requests that have sent only their headers lock no one out', async () => {
  // Room for 256 answers, 64 of them of one client in the frame.
  const bytes = '16777216'
  const server = await startTestServer({ ANSWER_BYTES: bytes, FRAME_ANSWER_BYTES: bytes })
  ends.push(server.stop)
  const ports = [server.url, server.frameUrl].map((url) => Number(new URL(url).port))
  for (const port of ports)
    await Promise.all(
      Array.from({ length: 512 }, (_, at) => dial(port, `127.0.0.${2 + (at % 8)}`, half(port))),
    )
  const [port = 0, framePort = 0] = ports
  expect((await ask(port, '/config.json')).status).toBe(200)
  expect((await ask(port, '/v1/analytics?projectId=local', '{}')).status).not.toBe(503)
  expect((await ask(framePort, '/health', undefined, new URL(server.frameUrl).host)).status).toBe(
    200,
  )
  expect(
    (await ask(framePort, '/device', undefined, new URL(server.frameUrl).host)).status,
  ).not.toBe(503)
  expect([
    server.services.responseMemory.held(),
    server.services.frameResponseMemory.held(),
  ]).toEqual([0, 0])
})

test('default: a body in parts is passed on when it is complete', async () => {
  const port = await start()
  const socket = await dial(
    port,
    '127.0.0.2',
    'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
  )
  socket.write('4\r\ndefg\r\n0\r\ntrailer: x\r\n\r\n')
  expect(await read(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\b7\b/)
  expect((await ask(port, '/', 'x'.repeat(100))).body).toBe('100')
})

test('error: a body that is too long is passed on before its end', async () => {
  const port = await start()
  const part = `65\r\n${'x'.repeat(0x65)}\r\n`
  const socket = await dial(
    port,
    '127.0.0.2',
    `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${part}`,
  )
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*101/)
})

test('error: a client that sends its headers or its body too slowly is disconnected', async () => {
  const port = await start(undefined, { requestMs: 400, checkEveryMs: 20 }, 100)
  const slow = [
    await dial(port, '127.0.0.2'),
    await dial(port, '127.0.0.2', 'GET / HTTP/1.1\r\nhost: a\r\nx-'),
    await dial(port, '127.0.0.2', half(port)),
    await dial(
      port,
      '127.0.0.2',
      'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\n',
    ),
    await dial(
      port,
      '127.0.0.2',
      'POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n',
    ),
    await dial(
      port,
      '127.0.0.2',
      'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upg',
    ),
  ]
  for (const socket of slow) expect(await read(socket)).toMatch(/^$|408 Request Timeout/)
})

test.each([
  ['default', {}, 75],
  ['param: KEEP_ALIVE_SECONDS', { KEEP_ALIVE_SECONDS: '120', TRUST_PROXY: '1' }, 120],
])(
  '%s: both ports keep an unused connection longer than load balancers do',
  async (_title, env, seconds) => {
    const server = await startTestServer(env)
    ends.push(server.stop)
    for (const url of [server.url, server.frameUrl])
      expect((await fetch(`${url}/health`)).headers.get('keep-alive')).toBe(`timeout=${seconds}`)
  },
)

test('behavior: a connection that a load balancer opens before it needs it stays open as long', async () => {
  // Shorter than the time limit for sending a request.
  const port = await start(undefined, { requestMs: 100, checkEveryMs: 20 }, 1_000)
  const socket = await dial(port, '127.0.0.2')
  const openedMs = performance.now()
  await read(socket)
  expect(performance.now() - openedMs).toBeGreaterThan(1_000)
})

test('behavior: the quietest connections of the client that has most give way to new ones', async () => {
  const port = await start({ total: 20, perClient: 8 })
  const many: Socket[] = []
  for (let index = 0; index < 10; index++) many.push(await dial(port, '127.0.0.2'))
  // The first two had to leave: the client has eight.
  await Promise.all(many.slice(0, 2).map((socket) => read(socket)))
  const one = await dial(port, '127.0.0.3')
  for (let client = 4; client < 8; client++)
    for (let index = 0; index < 8; index++) await dial(port, `127.0.0.${client}`)
  expect((await ask(port, '/')).status).toBe(200)
  one.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  expect(await read(one)).toContain('200 OK')
})

test('behavior: unfinished requests of one client are limited, the oldest leaves first', async () => {
  const port = await start({ total: 1_000, perClient: 1_000 })
  const sockets: Socket[] = []
  for (let index = 0; index < 129; index++) sockets.push(await dial(port, '127.0.0.2', half(port)))
  const [oldest, ...others] = sockets
  if (oldest === undefined) throw new Error('There is an oldest one')
  expect(await read(oldest)).toBe('')
  const newest = others.at(-1)
  newest?.write('x'.repeat(99))
  expect(String((await once(newest ?? oldest, 'data'))[0])).toContain('200 OK')
})
