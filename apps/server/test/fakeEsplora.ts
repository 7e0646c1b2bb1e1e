import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to a path: a status with a string, an object as JSON, a string, or a handler. */
type EsploraResponse =
  | string
  | object
  | { status: number; text: string }
  | ((response: ServerResponse) => unknown)

/** Answers by path, which a test may change while it runs. A missing path gets Esplora's 404. */
export type EsploraResponses = Record<string, EsploraResponse>

/**
 * An Esplora server of a Bitcoin chain, in this process, with the given answers. `paths` lists the
 * requested paths.
 */
export async function startEsplora(genesis: string, answers: EsploraResponses = {}) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    response.on('error', () => {})
    request.resume()
    const path = request.url ?? ''
    if (path !== '/block-height/0') paths.push(path)
    const answer = answers[path] ?? (path === '/block-height/0' ? genesis : unknown)
    if (typeof answer === 'function') return void answer(response)
    if (typeof answer === 'string') return void response.end(answer)
    if ('status' in answer && 'text' in answer) {
      response.writeHead(Number(answer.status)).end(answer.text)
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  // With a slash at the end, as operators write it too.
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    paths,
    answers,
    stop,
  }
}

const unknown = { status: 404, text: 'Transaction not found' }
