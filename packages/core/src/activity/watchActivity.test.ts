import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket as Peer, WebSocketServer } from 'ws'
import { alice, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import type { ActivityNews } from './activityNews.ts'
import { watchActivity } from './watchActivity.ts'

/** Waits are this much shorter than in a browser. */
const HASTE = 100
/** The polling interval without a socket. */
const pollMs = 30_000

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

type Settings = { features?: unknown; port?: number; hasSocket?: boolean }

/**
 * A server with the socket of account events; without it if `hasSocket` is false, as on servers of
 * others.
 */
async function startEvents({ features, port = 0, hasSocket = true }: Settings = {}) {
  const http = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ http: ['eip155:31337', 'eip155:31338'], ws: [], features }))
  })
  const sockets = new WebSocketServer({ noServer: true })
  const urls: string[] = []
  let tries = 0
  http.on('upgrade', (request, socket, head) => {
    tries += 1
    if (!hasSocket) return socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (peer) => {
      urls.push(request.url ?? '')
      sockets.emit('connection', peer)
    })
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const peer of sockets.clients) peer.terminate()
      http.closeAllConnections()
      http.close(() => resolve())
    })
  cleanups.push(stop)
  return {
    port: (http.address() as AddressInfo).port,
    urls,
    tries: () => tries,
    peers: () => [...sockets.clients],
    send: (message: unknown) => {
      for (const peer of sockets.clients)
        peer.send(typeof message === 'string' ? message : JSON.stringify(message))
    },
    stop,
  }
}

type Opening = {
  webSocket?: typeof WebSocket
  /** Whether the polling interval of 30 s passes; otherwise only the socket triggers a read. */
  hasTimer?: boolean
}

async function open(port: number, opening: Opening = {}) {
  // Node 20 has no WebSocket.
  const { webSocket = Peer as unknown as typeof WebSocket, hasTimer = false } = opening
  const page = createPage()
  const slept: number[] = []
  const app = openApp(
    {
      ...createBrowser().openTab(),
      connectors: [fakeConnector({ id: 'a.one', wallet: createFakeWallet() })],
      page,
      fetch: globalThis.fetch,
      webSocket,
      sleep: (ms, signal) => {
        slept.push(ms)
        return new Promise((resolve) => {
          const timer = hasTimer || ms !== pollMs ? setTimeout(resolve, ms / HASTE) : undefined
          signal?.addEventListener('abort', () => {
            clearTimeout(timer)
            resolve()
          })
        })
      },
    },
    { apiUrl: `http://127.0.0.1:${port}` },
  )
  cleanups.push(() => app.destroy())
  await connect(app, { connectorId: 'a.one' })
  const news: ActivityNews[] = []
  const changes = () => news.filter(({ type }) => type === 'changed').length
  return {
    app,
    page,
    slept,
    news,
    changes,
    watch: () => watchActivity(app, (each) => news.push(each)),
  }
}

const isOpen = (peer: Peer) => peer.readyState === peer.OPEN
const changed = { type: 'changed', chainId: 'eip155:31337' }

test('default: one socket for all who watch; all read again when it opens and when it announces something', async () => {
  const server = await startEvents()
  const { watch, news, changes } = await open(server.port)
  watch()
  watch()
  await expect.poll(changes).toBe(2)
  expect(news[0]).toEqual({ ...changed, address: alice })
  expect(server.urls).toEqual([
    `/v1/account-events?projectId=local&st=latchkey&sv=react-0.0.0&address=${alice}&chainId=eip155%3A31337`,
  ])
  server.send(changed)
  await expect.poll(changes).toBe(4)
})

test('behavior: tells how far the looking has come', async () => {
  const server = await startEvents()
  const { watch, news, changes } = await open(server.port)
  watch()
  await expect.poll(changes).toBe(1)
  const sync = { complete: false, progress: 0.42, since: null }
  server.send({ type: 'sync', chainId: 'eip155:31337', sync })
  await expect
    .poll(() => news.at(-1))
    .toEqual({ type: 'sync', chainId: 'eip155:31337', sync, address: alice })
})

test('behavior: invalid messages and messages of another network report nothing', async () => {
  const server = await startEvents()
  const { watch, news, changes } = await open(server.port)
  watch()
  await expect.poll(changes).toBe(1)
  for (const message of ['{', '1', '{"type":"changed"}', { type: 'x', chainId: 'eip155:31337' }])
    server.send(message)
  server.send({ type: 'changed', chainId: 'eip155:1' })
  const sync = { complete: true, progress: 1, since: null }
  server.send({ type: 'sync', chainId: 'eip155:31337', sync })
  await expect.poll(() => news.at(-1)?.type).toBe('sync')
  expect(news.length).toBe(2)
})

test('behavior: many changes of a moment are a few looks, the last one after all of them', async () => {
  const server = await startEvents()
  let received = 0
  class Counted extends Peer {
    constructor(url: string) {
      super(url)
      this.on('message', () => received++)
    }
  }
  const { app } = await open(server.port, { webSocket: Counted as unknown as typeof WebSocket })
  const looks: number[] = []
  watchActivity(app, ({ type }) => void (type === 'changed' && looks.push(received)))
  await expect.poll(() => looks.length).toBe(1)
  for (let each = 0; each < 200; each++) server.send(changed)
  await expect.poll(() => looks.at(-1)).toBe(200)
  expect(looks.length).toBeLessThan(100)
})

test('behavior: a lost socket reconnects with growing delays, and catches up on missed changes', async () => {
  const server = await startEvents()
  const { watch, changes, slept } = await open(server.port)
  watch()
  await expect.poll(changes).toBe(1)
  await server.stop()
  // Changes are batched for half a second, and polls are 30 s apart; all other waits are reconnect
  // delays.
  const waits = () => slept.filter((ms) => ms > 500 && ms < pollMs)
  await expect.poll(() => waits().length).toBeGreaterThanOrEqual(3)
  for (const [index, longest] of [1_000, 2_000, 4_000].entries()) {
    expect(waits()[index]).toBeLessThanOrEqual(longest)
    expect(waits()[index]).toBeGreaterThanOrEqual(longest * 0.75)
  }
  const before = changes()
  const again = await startEvents({ port: server.port })
  await expect.poll(() => again.urls.length).toBe(1)
  await expect.poll(changes).toBeGreaterThan(before)
})

test('behavior: a server without the socket is tried five times, and looked at every 30 s', async () => {
  const server = await startEvents({ hasSocket: false })
  const { watch, changes, slept } = await open(server.port, { hasTimer: true })
  watch()
  await expect.poll(server.tries).toBe(5)
  // Looks that come after the last try bring no other.
  const before = changes()
  await expect.poll(changes).toBeGreaterThanOrEqual(before + 3)
  expect(server.tries()).toBe(5)
  expect(slept.filter((ms) => ms === pollMs).length).toBeGreaterThanOrEqual(3)
})

test('behavior: a socket that once stood is never given up', async () => {
  const server = await startEvents()
  const { watch, changes, slept } = await open(server.port)
  watch()
  await expect.poll(changes).toBe(1)
  await server.stop()
  await expect.poll(() => slept.filter((ms) => ms > 500 && ms < pollMs).length).toBeGreaterThan(6)
  const again = await startEvents({ port: server.port })
  await expect.poll(() => again.urls.length).toBe(1)
})

test('behavior: a page that may not dial the server looks every 30 s', async () => {
  const server = await startEvents()
  class Forbidden {
    constructor() {
      throw new DOMException('Mixed content', 'SecurityError')
    }
  }
  const { watch, changes } = await open(server.port, {
    webSocket: Forbidden as unknown as typeof WebSocket,
    hasTimer: true,
  })
  watch()
  await expect.poll(changes).toBeGreaterThanOrEqual(2)
  expect(server.tries()).toBe(0)
})

test('behavior: a change during a read is reported after that read', async () => {
  const server = await startEvents()
  const { app } = await open(server.port)
  const looks: (() => void)[] = []
  watchActivity(app, ({ type }) =>
    type === 'changed' ? new Promise<void>((resolve) => looks.push(resolve)) : undefined,
  )
  await expect.poll(() => looks.length).toBe(1)
  server.send(changed)
  server.send(changed)
  const sync = { complete: true, progress: 1, since: null }
  let isSynced = false
  watchActivity(app, ({ type }) => {
    isSynced ||= type === 'sync'
  })
  server.send({ type: 'sync', chainId: 'eip155:31337', sync })
  await expect.poll(() => isSynced).toBe(true)
  expect(looks.length).toBe(1)
  looks[0]?.()
  await expect.poll(() => looks.length).toBe(2)
})

test('behavior: closed while the page is hidden, and looks when it is seen again', async () => {
  const server = await startEvents()
  const { watch, page, changes } = await open(server.port)
  watch()
  await expect.poll(changes).toBe(1)
  page.leave()
  await expect.poll(() => server.peers().filter(isOpen).length).toBe(0)
  page.comeBack()
  await expect.poll(changes).toBe(2)
  expect(server.urls.length).toBe(2)
})

test('behavior: follows the network, and ends with the connection', async () => {
  const server = await startEvents()
  const { app, watch, changes } = await open(server.port)
  watch()
  await expect.poll(changes).toBe(1)
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await expect.poll(() => server.urls.at(-1)).toContain('chainId=eip155%3A31338')
  await expect.poll(() => server.peers().filter(isOpen).length).toBe(1)
  await disconnect(app)
  await expect.poll(() => server.peers().filter(isOpen).length).toBe(0)
})

test('behavior: the last who watches ends it, destroy too', async () => {
  const server = await startEvents()
  const { app, watch, changes } = await open(server.port)
  const [first, second] = [watch(), watch()]
  await expect.poll(changes).toBe(2)
  first()
  expect(server.peers().filter(isOpen).length).toBe(1)
  second()
  await expect.poll(() => server.peers().length).toBe(0)
  watch()
  await expect.poll(() => server.peers().filter(isOpen).length).toBe(1)
  app.destroy()
  await expect.poll(() => server.peers().length).toBe(0)
})

test('behavior: opens no socket if activity is off', async () => {
  const server = await startEvents({
    features: {
      'eip155:31337': { activity: { on: false, source: 'No source' } },
      'eip155:31338': { activity: { on: true, source: 'RPC' } },
    },
  })
  const { app, watch } = await open(server.port)
  watch()
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await expect.poll(() => server.urls.length).toBe(1)
  expect(server.urls[0]).toContain('eip155%3A31338')
})
