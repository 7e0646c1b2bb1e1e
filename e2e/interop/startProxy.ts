import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** A relay as one client sees it: everything goes through, unless the test has it otherwise. */
export type Proxy = {
  url: string
  /** Cuts the sockets and takes no new ones. */
  cut(): void
  /** Takes sockets again. */
  mend(): void
  /** Methods of the requests that clients sent, in order. */
  methods: readonly string[]
}

export type Call = { method: string; params: unknown }

export type ProxyParameters = {
  /** Address of the relay. */
  target: () => string
  /** Answered as a relay that is older than they are would. */
  unknownMethods?: readonly string[]
  /** What to ask the relay instead; the answer to the last of it is the answer. */
  rewrite?: (call: Call) => readonly Call[]
}

/** Stands between clients and a relay. */
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

/** Nobody waits for the answer to this one. */
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
