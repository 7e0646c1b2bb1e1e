import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A frame as a client wrote it. `socket` counts connections from 0. */
export type RelayFrame = {
  socket: number
  text: string
  id: string | number
  method?: string
  params?: Record<string, unknown>
  result?: unknown
}

/** A relay's response to a request; undefined for no response. */
type RelayResponse =
  | { result: unknown }
  | { error: { code: number; message: string; data?: string } }

/** A relay on a real socket whose behavior a test controls. */
export async function startScriptedRelay() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const heard: RelayFrame[] = []
  const sockets: WebSocket[] = []
  const urls: URL[] = []
  const on = {
    connect: (_socket: WebSocket, _url: URL): void => {},
    request: (heard: RelayFrame): RelayResponse | undefined => agree(heard),
  }
  server.on('connection', (socket, { url = '' }) => {
    const number = sockets.push(socket) - 1
    urls.push(new URL(url, 'ws://relay.test'))
    socket.on('message', (data) => {
      const text = String(data)
      const frame: RelayFrame = { ...JSON.parse(text), socket: number, text }
      heard.push(frame)
      const answer = frame.method === undefined ? undefined : on.request(frame)
      if (answer) socket.send(JSON.stringify({ id: frame.id, jsonrpc: '2.0', ...answer }))
    })
    on.connect(socket, urls[number] as URL)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    heard,
    sockets,
    urls,
    on,
    requests: (method: string) => heard.filter((frame) => frame.method === method),
    answers: () => heard.filter((frame) => frame.method === undefined),
    /** Pushes to the newest socket; `id` is written unchanged. */
    push(id: string, data: Record<string, unknown>, prefix = 'irn') {
      const params = JSON.stringify({ id: 'subscription', data })
      const head = `{"id":${id},"jsonrpc":"2.0","method":"${prefix}_subscription"`
      sockets.at(-1)?.send(`${head},"params":${params}}`)
    },
    async stop() {
      for (const socket of sockets) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The responses of a relay that accepts everything. */
export function agree({ method, params }: RelayFrame): RelayResponse {
  const topics = params?.topics
  if (method === 'irn_batchSubscribe' && Array.isArray(topics))
    return { result: topics.map((topic) => `id of ${topic}`) }
  return { result: true }
}
