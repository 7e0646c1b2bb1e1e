import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ended, spawnMain, spawnServer } from '../test/spawnServer.ts'
import { makeTestDir } from '../test/startTestServer.ts'

const event = JSON.stringify({
  eventId: '1c1f9d0e-7d3e-4f7a-9a94-0e6f0f9a2b11',
  props: { type: 'track', event: 'CONNECT' },
})
// Each starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

let dir: string
beforeEach(async () => {
  dir = await makeTestDir()
})
// A database whose server was ended at once needs a moment to see it.
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

/** Asks the server to stop, and waits until it has begun to. */
async function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGINT') {
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  child.kill(name)
  await expect.poll(() => printed).toContain('"msg":"stopping"')
}

test('behavior: SIGTERM lets a request under way finish and refuses new ones', async () => {
  const { child, url } = await spawnServer({ DATA_DIR: dir, ANALYTICS: 'log' })
  const { status, finish } = await beginRequest(url)
  await signal(child, 'SIGTERM')
  await expect(fetch(`${url}/health`)).rejects.toThrow()
  finish()
  expect(await status).toBe(202)
  expect(await ended(child)).toBe(0)
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

test('behavior: a signal during the start is kept until it can be done cleanly', async () => {
  const child = spawnMain({ DATA_DIR: dir })
  await expect.poll(() => existsSync(join(dir, 'owner.json')), { timeout: 60_000 }).toBe(true)
  child.kill('SIGINT')
  expect(await ended(child)).toBe(0)
  expect(existsSync(join(dir, 'owner.json'))).toBe(false)
  expect(existsSync(join(dir, 'postgres/postmaster.pid'))).toBe(false)
})

test('behavior: the log names no body, no token and no path', async () => {
  const { child, url } = await spawnServer({ DATA_DIR: dir })
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  await fetch(`${url}/config.json?projectId=mine&auth=tell-nobody`, {
    headers: { authorization: 'Bearer tell-nobody' },
  })
  child.kill('SIGTERM')
  await ended(child)
  expect(printed).toContain('"route":"/config.json","status":"200"')
  expect(printed).toContain('"projectId":"mine"')
  expect(printed).not.toContain('tell-nobody')
})

test('error: a wrong configuration and a taken port are said plainly', async () => {
  await expect(spawnServer({ DATA_DIR: dir, LOG_LEVEL: 'loud' })).rejects.toThrow(
    /^The configuration is not valid:\nLOG_LEVEL: must be one of fatal/,
  )
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const address = blocker.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  await expect(spawnServer({ DATA_DIR: dir, PORT: port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken. Stop what listens there, or set PORT`,
  )
  blocker.close()
})
