import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tellCpuTime } from '../measure/cpuTime.ts'

// A minimal HTTP server in Node: sends the configured body and headers and an id to every client.
let body = ''
let headers: Record<string, string | number> = {}
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, 'x-request-id': randomUUID() })
  response.end(body)
})
server.keepAliveTimeout = 60_000
tellCpuTime()
process.on('message', (answer: 'cpu' | { text: string; headers: Record<string, string> }) => {
  if (answer === 'cpu') return
  body = answer.text
  headers = { ...answer.headers, 'content-length': Buffer.byteLength(body) }
  process.send?.('ready')
})
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit(0))
