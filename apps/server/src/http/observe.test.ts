import { connect, Socket } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer } from '../../test/startTestServer.ts'

/** A server and its log. */
async function start() {
  const lines: { level: number; route?: string; status?: string; err?: unknown }[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  const server = await startTestServer(
    { ANALYTICS: 'log' },
    { log: pino({ level: 'info' }, stream) },
  )
  onTestFinished(server.stop)
  return { server, lines }
}

/** The number of bytes that the server at `port` has read from the client at `from`. */
function readAt(port: number, from: number | undefined) {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
  const sockets = handles.filter((handle) => handle instanceof Socket)
  return sockets.find((one) => one.localPort === port && one.remotePort === from)?.bytesRead
}

test.each(['length', 'chunks'] as const)(
  'behavior: an upload that its client breaks off is no error: %s',
  async (kind) => {
    const { server, lines } = await start()
    const framing = kind === 'length' ? 'content-length: 1000' : 'transfer-encoding: chunked'
    const begun = kind === 'length' ? '{"a":' : '5\r\n{"a":\r\n'
    const own = `origin: ${server.frameUrl}\r\ncontent-type: application/json`
    const asked = [
      [server.url, '/e?projectId=local', ''],
      [server.frameUrl, '/api/login', `${own}\r\n`],
      [server.frameUrl, '/api/nonce', `${own}\r\n`],
    ] as const
    for (const [url, path, more] of asked) {
      const { host, port } = new URL(url)
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      const text = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${more}${framing}\r\n\r\n${begun}`
      const before = lines.length
      socket.write(text)
      await expect.poll(() => readAt(Number(port), socket.localPort)).toBe(text.length)
      // Its handler waits for the rest.
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.resetAndDestroy()
      await expect.poll(() => lines.length).toBeGreaterThan(before)
    }
    const requests = lines.filter(({ route }) => route !== undefined)
    expect(requests.map(({ status }) => status)).toEqual(asked.map(() => '499'))
    expect(lines.filter(({ level, err }) => level >= 50 || err !== undefined)).toEqual([])
  },
)

test('behavior: a thrown failure has the headers of a returned response, and is no error in the log', async () => {
  const { server, lines } = await start()
  const pairs = [
    [server.url, '/nowhere', '/v1/account/none/identity?projectId=local'],
    [server.frameUrl, '/nowhere', '/csp'],
  ] as const
  for (const [url, returned, thrown] of pairs) {
    const known = await fetch(`${url}${returned}`)
    const failed = await fetch(`${url}${thrown}`, thrown === '/csp' ? { method: 'POST' } : {})
    expect([known.status, failed.status]).toEqual([404, 400])
    expect(Object.keys(await failed.json())).toEqual(Object.keys(await known.json()))
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !['content-length', 'date', 'x-request-id'].includes(name))
    expect(headersOf(known).length).toBeGreaterThan(5)
    expect(headersOf(failed)).toEqual(headersOf(known))
    expect(failed.headers.has('x-request-id')).toBe(true)
  }
  await expect.poll(() => lines.filter(({ status }) => status === '400')).toHaveLength(2)
  expect(lines.filter(({ route, level }) => route !== undefined && level > 30)).toEqual([])
  expect(lines.filter(({ err }) => err !== undefined)).toEqual([])
})

test('error: a request that cannot be counted is logged, and the process continues', async () => {
  const { server, lines } = await start()
  const { metrics } = server.services
  vi.spyOn(metrics, 'countSeconds').mockImplementation(() => {
    throw new Error('no more labels')
  })
  const uncaught = vi.fn()
  process.on('uncaughtException', uncaught)
  onTestFinished(() => void process.off('uncaughtException', uncaught))
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(404)
  await expect
    .poll(() => lines)
    .toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'request not recorded',
        err: expect.objectContaining({ message: 'no more labels' }),
      }),
    )
  expect(uncaught).not.toHaveBeenCalled()
})
