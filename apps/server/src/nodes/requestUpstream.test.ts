import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type NodeRequest, requestUpstream } from './requestUpstream.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Starts a node; resolves to its URL without the scheme. */
async function startNode(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const request: NodeRequest<{ text: string }> = {
  ...{ method: 'POST', path: '', body: '{}', contentType: 'application/json', statuses: [] },
  read: (text) => ({ text }),
  isInconclusive: () => false,
}

/** Sends the request; `held` is the memory in bytes that is reserved for the answer afterwards. */
async function send(url: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  let held = 0
  const add = (bytes: number) => {
    held += bytes
    return true
  }
  const reservation = { client: undefined, add, hold: () => true, release: () => {} }
  const answer = await requestUpstream(url, request, {
    ...{
      timeoutMs: 5_000,
      maxBytes: 1_000,
      reservation,
      responseMemory: { open: () => reservation },
    },
    ...options,
  })
  return { answer, held }
}

test('behavior: the credentials of a URL are sent as HTTP Basic, the path and query as they are', async () => {
  const node = await startNode(({ headers, url }, response) =>
    response.end(JSON.stringify([headers.authorization, url])),
  )
  const { answer } = await send(`http://us%40er:p%3Ass@${node}/v1?key=a%20b`)
  expect(JSON.parse((answer as { text: string }).text)).toEqual([
    `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`,
    '/v1?key=a%20b',
  ])
})

test('error: a response that is too large, redirects, hangs or breaks off leaves no connection or memory', async () => {
  for (const [fault, answer] of [
    ['tooLarge', (response) => response.writeHead(200, { 'content-length': 2_000 }).write('a')],
    ['tooLarge', (response) => response.write('a'.repeat(2_000))],
    ['redirect', (response) => response.writeHead(302, { location: '/' }).write('a')],
    ['timeout', (response) => response.write('a')],
    ['connection', (response) => response.write('a', () => response.destroy())],
  ] satisfies [string, (response: ServerResponse) => void][]) {
    const closed = withResolvers()
    const node = await startNode((received, response) => {
      received.socket.once('close', closed.resolve)
      answer(response)
    })
    const timeoutMs = fault === 'timeout' ? 500 : 5_000
    expect(await send(`http://${node}`, { timeoutMs })).toEqual({ answer: fault, held: 0 })
    await closed.promise
  }
})

test('behavior: an aborted request ends the connection', async () => {
  const abort = new AbortController()
  const closed = withResolvers()
  const node = await startNode(({ socket }) => {
    socket.once('close', closed.resolve)
    abort.abort()
  })
  const { answer } = await send(`http://${node}`, { signal: abort.signal })
  expect(answer).toBe('connection')
  await closed.promise
})
