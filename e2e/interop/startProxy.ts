import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** A proxy between one client and the relay. Everything passes unless the test changes it. */
export type Proxy = {
  url: string
  /** Closes the sockets and accepts no new ones. */
  cut(): void
  /** Accepts sockets again. */
  mend(): void
  /** Methods of the requests that clients sent, in order. */
  methods: readonly string[]
}

export type Call = { method: string; params: unknown }

export type ProxyParameters = {
  /** Address of the relay. */
  target: () => string
  /** Methods to which the proxy responds like a relay that is too old for them. */
  unknownMethods?: readonly string[]
  /**
   * The requests to send to the relay instead; the proxy returns the response to the last request.
   */
  rewrite?: (call: Call) => readonly Call[]
}

/** Starts a proxy between clients and a relay. */
export async function startProxy({
  target,
  unknownMethods = [],
  rewrite = (call) => [call],
}: ProxyParameters): Promise<Proxy> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  let isCut = false
  const methods: string[] = []
  server.on('connection', (near, request) => {
    if (isCut) return near.terminate()
    const far = new WebSocket(`${target()}${request.url}`)
    const opened = once(far, 'open').catch(() => near.terminate())
    near.on('message', async (data: RawData) => {
      const text = String(data)
      const { id, method, params } = JSON.parse(text) as { id: unknown } & Partial<Call>
      if (method) methods.push(method)
      if (method && unknownMethods.includes(method))
        return near.send(JSON.stringify(methodNotFound(id)))
      await opened
      if (!method) return far.send(text)
      const calls = rewrite({ method, params })
      for (const [index, call] of calls.entries()) {
        const isLast = index === calls.length - 1
        far.send(JSON.stringify({ id: isLast ? id : swallowedId, jsonrpc: '2.0', ...call }))
      }
    })
    far.on('message', (data) => {
      const text = String(data)
      if ((JSON.parse(text) as { id: unknown }).id !== swallowedId) near.send(text)
    })
    far.on('close', (code, reason) => close(near, code, reason))
    far.on('error', () => near.terminate())
    near.on('close', () => far.terminate())
    near.on('error', () => far.terminate())
  })
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of server.clients) socket.terminate()
    },
    mend() {
      isCut = false
    },
    methods,
  }
}

/** Id of a request whose response no one waits for. */
const swallowedId = 4_000_000_000_000_000

const methodNotFound = (id: unknown) => ({
  id,
  jsonrpc: '2.0',
  error: { code: -32601, message: 'Method not found' },
})

function close(socket: WebSocket, code: number, reason: Buffer) {
  if (code === 1005 || code === 1006) socket.terminate()
  else socket.close(code, reason)
}
