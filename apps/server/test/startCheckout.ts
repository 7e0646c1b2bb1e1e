import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type ReceivedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/**
 * The API of a provider in this process. `answer` may be replaced while it runs; its result is sent
 * as JSON, or as the status if it is a number.
 */
export async function startCheckout(answer: (asked: ReceivedRequest) => unknown) {
  const calls: ReceivedRequest[] = []
  const state = { answer }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    }
    calls.push(asked)
    const result = await state.answer(asked)
    if (typeof result === 'number') return response.writeHead(result).end()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, state }
}
