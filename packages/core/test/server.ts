import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Call = { url: string; method: string; body: unknown }
export type TestServer = { url: string; calls: Call[]; stop: () => Promise<void> }

/** An HTTP server on a free port with scripted responses, which records its requests. */
export async function startServer(
  answer: (call: Call, response: ServerResponse, request: IncomingMessage) => void,
): Promise<TestServer> {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const call = {
      url: request.url ?? '',
      method: request.method ?? '',
      body: text ? (JSON.parse(text) as unknown) : undefined,
    }
    calls.push(call)
    answer(call, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export function json(
  response: ServerResponse,
  value: unknown,
  parameters: { status?: number; headers?: Record<string, string> } = {},
) {
  response.writeHead(parameters.status ?? 200, {
    'content-type': 'application/json',
    ...parameters.headers,
  })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}
