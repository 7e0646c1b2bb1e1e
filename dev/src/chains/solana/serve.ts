import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type RawData, WebSocketServer } from 'ws'
import { host } from '../../ports.ts'
import { answerCall, type Call } from './rpc/answerCall.ts'
import { createSubscriptions } from './rpc/createSubscriptions.ts'
import { methods } from './rpc/methods.ts'
import { RpcError } from './rpc/rpcError.ts'
import type { SolanaChain } from './state/openChain.ts'

const maxBodyBytes = 50 * 1024
const maxConnections = 500

/**
 * Serves JSON-RPC over HTTP and WebSocket on one port of this machine. Resolves once it listens;
 * throws if it cannot.
 */
export async function serveSolana(
  chain: SolanaChain,
  { port }: { port: number },
): Promise<{ stop(): Promise<void> }> {
  const call: Call = (method, params) => {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!answer) throw new RpcError(-32601, 'Method not found')
    return answer(chain, params)
  }
  const server = createServer((request, response) => {
    void answerHttp({ request, response, call })
  })
  server.maxConnections = maxConnections
  const sockets = new WebSocketServer({ server, maxPayload: maxBodyBytes })
  sockets.on('connection', (socket) => {
    const send = (text: string) => {
      if (socket.readyState === socket.OPEN) socket.send(text)
    }
    const subscriptions = createSubscriptions(chain, send)
    const answer: Call = (method, params) =>
      subscriptions.call(method, params) ?? call(method, params)
    socket.on('message', async (data) => {
      const reply = await answerCall(toText(data), answer)
      if (reply) send(reply)
    })
    // A frame that is too large or malformed: ws closes the socket.
    socket.on('error', () => {})
    socket.on('close', subscriptions.close)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets.clients) socket.terminate()
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { stop }
}

// Like a node: any page may call it.
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

async function answerHttp(parameters: {
  request: IncomingMessage
  response: ServerResponse
  call: Call
}) {
  const { request, response, call } = parameters
  const end = (status: number, text: string, type = 'text/plain') => {
    response.writeHead(status, { ...cors, 'content-type': type }).end(text)
  }
  if (request.method === 'OPTIONS') return end(204, '')
  if (request.method === 'GET' && request.url === '/health') return end(200, 'ok')
  if (request.method !== 'POST')
    return end(405, 'Used HTTP Method is not allowed. POST or OPTIONS is required')
  const body = await readBody(request).catch(() => undefined)
  if (body === undefined) return end(413, 'Payload Too Large')
  end(200, (await answerCall(body, call)) ?? '', 'application/json')
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const toText = (data: RawData) =>
  Array.isArray(data)
    ? Buffer.concat(data).toString('utf8')
    : Buffer.from(data as Buffer).toString('utf8')
