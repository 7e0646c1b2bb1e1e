import { writeFile } from 'node:fs/promises'
import { connect, Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith } from '../../test/makeServices.ts'
import { makeTestDir, startTestServer } from '../../test/startTestServer.ts'

const megabyte = 1024 * 1024
const perClient = 16 * megabyte
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A server whose node answers `eth_getLogs` with eight megabytes, with a clock of the test. */
async function start() {
  const node = await startUpstream(
    honest(5, { eth_getLogs: 'x'.repeat(8 * megabyte), eth_blockNumber: '0x1' }),
  )
  ends.push(node.stop)
  const file = join(await makeTestDir(), 'chains.json')
  await writeFile(file, JSON.stringify({ chains: { 'eip155:5': chainWith([node.url]) } }))
  const now = { ms: Date.now() }
  const server = await startTestServer(
    {
      CHAINS_FILE: file,
      ANSWER_BYTES: String(2 * perClient),
      ANSWER_BYTES_PER_CLIENT: String(perClient),
      TRUST_PROXY: '1',
    },
    { clock: () => now.ms },
  )
  ends.push(server.stop)
  const { responseMemory } = server.services
  const port = Number(new URL(server.url).port)
  const ask = (path: string, client: string, method?: string) =>
    fetch(`${server.url}${path}`, {
      headers: { 'x-forwarded-for': client },
      ...(method !== undefined && { method: 'POST', body: bodyOf(method) }),
    })
  return { responseMemory, ask, node, now, port, server }
}

const path = '/v1?projectId=local&chainId=eip155:5'
const bodyOf = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
const me = '203.0.113.1'
const other = '203.0.113.2'

/** Asks for eight megabytes and reads none of them. */
async function askAndNotRead(port: number, client: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  ends.push(() => socket.destroy())
  socket.on('error', () => {})
  socket.pause()
  const body = bodyOf('eth_getLogs')
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-forwarded-for: ${client}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

/** The bytes that Node holds for the clients of `port`, counted at its sockets. */
function unsentAt(port: number): number {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
  const sockets = handles.filter((handle) => handle instanceof Socket)
  return sockets
    .filter((socket) => socket.localPort === port)
    .reduce((sum, { writableLength }) => sum + writableLength, 0)
}

test("error: unread answers hold at most the client's share, and a client that does not read is dropped", async () => {
  const { responseMemory, ask, now, port, server } = await start()
  for (let times = 0; times < 4; times++) await askAndNotRead(port, me)
  // Reading from the node has ended when all held bytes wait at a socket.
  await expect
    .poll(
      () => responseMemory.held(me) > 4 * megabyte && responseMemory.held(me) === unsentAt(port),
    )
    .toBe(true)
  expect(unsentAt(port)).toBeLessThanOrEqual(perClient)
  // Too much for the remaining memory; other clients are not affected.
  const refused = await ask(path, me, 'eth_getLogs')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await refused.json()).toEqual({
    status: 'FAILED',
    reasons: [
      { field: 'server', description: 'The server has too much to send. Try again in a moment' },
    ],
  })
  expect((await (await ask(path, other, 'eth_getLogs')).text()).length).toBeGreaterThan(8_000_000)
  now.ms += 16_000
  await server.tick()
  await expect.poll(() => [responseMemory.held(), unsentAt(port)]).toEqual([0, 0])
  expect((await ask(path, me, 'eth_getLogs')).status).toBe(200)
})

test('error: while the memory is used up no answer begins, and the node is not asked', async () => {
  const { responseMemory, ask, node } = await start()
  const paths = [
    path,
    '/getWallets?projectId=local',
    '/public/getAssetImage/x',
    '/config.json',
    '/x',
  ]
  const used = responseMemory.open(me, perClient)
  for (const each of paths)
    expect([
      each,
      (await ask(each, me, each === path ? 'eth_blockNumber' : undefined)).status,
    ]).toEqual([each, 503])
  expect(node.bodies).toEqual([])
  expect((await ask('/health', me)).status).toBe(200)
  expect((await ask(path, other, 'eth_blockNumber')).status).toBe(200)
  // Clients that hold little, and the server itself, may use more than the total.
  const rest = responseMemory.open(undefined, 2.5 * perClient - responseMemory.held())
  expect((await ask(path, other, 'eth_blockNumber')).status).toBe(503)
  const ready = await ask('/ready', other)
  expect(ready.status).toBe(200)
  const description = expect.stringMatching(/^The memory for responses was used up/)
  expect((await ready.json()).details).toContainEqual({ field: 'answers', description })
  used?.release()
  rest?.release()
  expect((await ask(path, me, 'eth_blockNumber')).status).toBe(200)
  await expect.poll(() => responseMemory.held()).toBe(0)
})

test('behavior: a client that has left holds nothing, even while the request to the node is pending', async () => {
  const { responseMemory, port } = await start()
  const sockets = await Promise.all(Array.from({ length: 5 }, () => askAndNotRead(port, me)))
  await expect.poll(() => responseMemory.held(me)).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => responseMemory.held()).toBe(0)
})

test('error: a WebSocket that does not read holds no more than its client may', async () => {
  const { responseMemory, port, server } = await start()
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, {
    headers: { 'x-forwarded-for': me },
  })
  ends.push(() => socket.terminate())
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('open', resolve))
  socket.pause()
  for (let times = 0; times < 4; times++) socket.send(bodyOf('eth_getLogs'))
  await expect
    .poll(
      () => responseMemory.held(me) > 4 * megabyte && responseMemory.held(me) === unsentAt(port),
    )
    .toBe(true)
  expect(unsentAt(port)).toBeLessThanOrEqual(perClient)
  socket.terminate()
  await expect.poll(() => [responseMemory.held(), unsentAt(port)]).toEqual([0, 0])
})
