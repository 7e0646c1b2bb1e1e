import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { host } from '../../../ports.ts'
import { HttpError } from './httpError.ts'

/** Handles a request. A string is sent unchanged, anything else as JSON. */
type AnswerRequest = (request: {
  method: string
  path: string
  body: string
}) => string | object | Promise<string | object>

// The largest standard transaction, as hex.
const maxBodyBytes = 900_000
const maxConnections = 500

/**
 * Serves `answer` over HTTP on a port of this machine, with CORS for any page. Resolves once it
 * listens; throws if it cannot.
 */
export async function serveBitcoin(parameters: {
  port: number
  answer: AnswerRequest
}): Promise<{ stop(): Promise<void> }> {
  const { port, answer } = parameters
  const server = createServer((request, response) => {
    void answerHttp({ request, response, answer })
  })
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { stop }
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

async function answerHttp(parameters: {
  request: IncomingMessage
  response: ServerResponse
  answer: AnswerRequest
}) {
  const { request, response, answer } = parameters
  const end = (status: number, text: string, type = 'text/plain') => {
    response.writeHead(status, { ...cors, 'content-type': type }).end(text)
  }
  const { method = 'GET', url = '/' } = request
  if (method === 'OPTIONS') return end(204, '')
  try {
    const body = await readBody(request)
    const answered = await answer({ method, path: url.split('?')[0] ?? '/', body })
    if (typeof answered === 'string') end(200, answered)
    else end(200, JSON.stringify(answered), 'application/json')
  } catch (error) {
    if (error instanceof HttpError) end(error.status, error.message)
    else end(500, 'Internal error')
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Reads to the end anyway: the connection of a half-read request would be reset.
    if (length <= maxBodyBytes) chunks.push(chunk)
  }
  if (length > maxBodyBytes) throw new HttpError(413, 'Payload Too Large')
  return Buffer.concat(chunks).toString('utf8')
}
