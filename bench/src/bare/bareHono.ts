import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { tellCpuTime } from '../measure/cpuTime.ts'

// The same as bareHttp.ts with the server's framework: measures the cost of the framework.
let body = ''
let headers: Record<string, string> = {}
const app = new Hono().get(
  '/',
  () => new Response(body, { headers: { ...headers, 'x-request-id': randomUUID() } }),
)
const server = createAdaptorServer({ fetch: app.fetch })
tellCpuTime()
process.on('message', (answer: 'cpu' | { text: string; headers: Record<string, string> }) => {
  if (answer === 'cpu') return
  body = answer.text
  headers = answer.headers
  process.send?.('ready')
})
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit(0))
