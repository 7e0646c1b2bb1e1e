import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The least an HTTP server in Node can do: the body it was told to send, to whoever asks.
let body = ''
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})
server.keepAliveTimeout = 60_000
process.on('message', (text) => {
  body = String(text)
  process.send?.('ready')
})
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit(0))
