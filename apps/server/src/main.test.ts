import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { freePort, makeDatabase } from '@latchkey/dev'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { chainWith } from '../test/makeServices.ts'
import { testAudience } from '../test/relayClient.ts'
import { openRelaySocket } from '../test/relaySocket.ts'
import { ended, spawnMain, spawnServer } from '../test/spawnServer.ts'
import { startProxy } from '../test/startProxy.ts'
import { makeTestDir } from '../test/startTestServer.ts'

const event = JSON.stringify({
  eventId: '1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11',
  props: { type: 'track', event: 'CONNECT' },
})
let dir: string
beforeEach(async () => {
  dir = await makeTestDir()
})
// A database whose server was killed needs a moment to notice it.
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** A request that the server has begun to read, and whose body is only half sent yet. */
async function beginRequest(url: string) {
  const sent = request(`${url}/e?projectId=local`, {
    method: 'POST',
    headers: { 'content-length': Buffer.byteLength(event), expect: '100-continue' },
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
  })
  sent.flushHeaders()
  await once(sent, 'continue')
  sent.write(event.slice(0, 10))
  return { status, finish: () => sent.end(event.slice(10)) }
}

/** Signals the server to stop, and waits until it has begun to stop. */
async function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGINT') {
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  child.kill(name)
  await expect.poll(() => printed).toContain('"msg":"stopping"')
}

test('behavior: SIGTERM lets a request under way finish and refuses new ones', async () => {
  const DATABASE_URL = await makeDatabase()
  const { child, url } = await spawnServer({ DATA_DIR: dir, DATABASE_URL, ANALYTICS: 'log' })
  const { status, finish } = await beginRequest(url)
  await signal(child, 'SIGTERM')
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  finish()
  expect(await status).toBe(202)
  expect(await ended(child)).toBe(0)
})

test('behavior: SIGTERM ends the server within 15 s even if the database, a node, mail and clients hang', async () => {
  const proxy = await startProxy(new URL(await makeDatabase()))
  onTestFinished(proxy.stop)
  const silent = createServer((socket) => void socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const chains = { 'eip155:31337': chainWith([`http://127.0.0.1:${port}/`]) }
  await writeFile(join(dir, 'chains.json'), JSON.stringify({ chains }))
  const { child, url } = await spawnServer({
    DATABASE_URL: proxy.url,
    DATA_DIR: dir,
    CHAINS_FILE: join(dir, 'chains.json'),
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    RELAY_AUDIENCES: testAudience,
  })
  const query = 'projectId=local&chainId=eip155:31337'
  const history = () => fetch(`${url}/v1/account/0x${'a1'.repeat(20)}/history?${query}`)
  // From now on it receives notices of activity on a separate connection.
  await history()
  const relay = await openRelaySocket(url)
  await proxy.fail('hang')
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
  const hanging = [history(), fetch(`${url}/v1?${query}`, { method: 'POST', body })]
  for (const asked of hanging) asked.catch(() => {})
  const half = connect(Number(new URL(url).port), '127.0.0.1')
  half.on('error', () => {})
  half.write('POST /e?projectId=local HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n')
  const deaf = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  deaf.on('error', () => {}).pause()
  deaf.write(
    'GET /nowhere HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  )
  await signal(child, 'SIGTERM')
  const signalledAtMs = performance.now()
  expect(await ended(child)).toBe(0)
  expect(performance.now() - signalledAtMs).toBeLessThan(15_000)
  half.destroy()
  deaf.destroy()
  relay.socket.terminate()
})

test('behavior: a second signal ends it at once', async () => {
  const { child, url } = await spawnServer({ DATA_DIR: dir, ANALYTICS: 'log' })
  const { status } = await beginRequest(url)
  const failed = expect(status).rejects.toThrow()
  await signal(child, 'SIGINT')
  expect(child.exitCode).toBeNull()
  child.kill('SIGINT')
  expect(await ended(child)).toBe(1)
  await failed
})

test('behavior: a signal during the start takes effect once the server can stop cleanly', async () => {
  // Making the database is most of a first start, and may take longer than a stop may.
  const first = await spawnServer({ DATA_DIR: dir })
  first.child.kill('SIGTERM')
  expect(await ended(first.child)).toBe(0)
  const child = spawnMain({ DATA_DIR: dir })
  await expect.poll(() => existsSync(join(dir, 'owner.json'))).toBe(true)
  child.kill('SIGINT')
  expect(await ended(child)).toBe(0)
  expect(existsSync(join(dir, 'owner.json'))).toBe(false)
  expect(existsSync(join(dir, 'postgres/postmaster.pid'))).toBe(false)
})

test('behavior: the log names no body, no token and no path', async () => {
  const DATABASE_URL = await makeDatabase()
  const { child, url } = await spawnServer({ DATA_DIR: dir, DATABASE_URL })
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  await fetch(`${url}/config.json?projectId=mine&auth=tell-nobody`, {
    headers: { authorization: 'Bearer tell-nobody' },
  })
  // With the last of its output, which may be read after its exit.
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
  expect(printed).toContain('"route":"/config.json","status":"200"')
  expect(printed).toContain('"projectId":"mine"')
  expect(printed).not.toContain('tell-nobody')
})

test('behavior: a log that cannot be written, as on a full disk, does not end the server', async () => {
  const full = openSync('/dev/full', 'w')
  const port = String(await freePort())
  const child = spawnMain({ ROLE: 'relay', PORT: port, LOG_LEVEL: 'trace' }, full)
  closeSync(full)
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/hello`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(answers).toBe(200)
  for (let times = 0; times < 60; times++) expect(await answers()).toBe(200)
  child.kill('SIGTERM')
  expect(await ended(child)).toBe(0)
})

test('error: a wrong configuration and a taken port are reported clearly', async () => {
  await expect(spawnServer({ DATA_DIR: dir, LOG_LEVEL: 'loud' })).rejects.toThrow(
    /^The configuration is not valid:\nLOG_LEVEL: must be one of fatal/,
  )
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const address = blocker.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  const DATABASE_URL = await makeDatabase()
  await expect(spawnServer({ DATA_DIR: dir, DATABASE_URL, PORT: port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken. Stop the program that listens there, or set PORT`,
  )
  blocker.close()
})
