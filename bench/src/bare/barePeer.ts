import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

// A minimal relay in Node with `ws`: parses, responds, and passes messages on to subscribers. It
// validates and stores nothing.
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
await new Promise((resolve) => server.once('listening', resolve))
const topics = new Map<string, Set<WebSocket>>()
let lastId = 1e9
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (!frame.method) return
    const { topic, message, tag } = frame.params
    socket.send(JSON.stringify({ id: frame.id, jsonrpc: '2.0', result: true }))
    if (frame.method === 'irn_subscribe') {
      const sockets = topics.get(topic) ?? new Set()
      topics.set(topic, sockets.add(socket))
      return
    }
    for (const other of topics.get(topic) ?? []) {
      lastId += 1
      const params = { id: topic, data: { topic, message, publishedAt: Date.now(), tag } }
      other.send(JSON.stringify({ id: lastId, jsonrpc: '2.0', method: 'irn_subscription', params }))
    }
  })
})
setInterval(() => {
  for (const socket of server.clients) socket.ping()
}, 15_000)
process.send?.(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.once('disconnect', () => process.exit(0))
