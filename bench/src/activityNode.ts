import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { readonly id: number; readonly method: string; readonly params: unknown }

/**
 * A node that sends each request to the node at `url` once and then responds from memory. As fast
 * as a node can be, so that a bench measures the reader, not the node. Only for a chain that does
 * not grow.
 */
export async function startMemoryNode(url: string) {
  const known = new Map<string, Promise<Buffer>>()
  const restOf = ({ method, params }: Call) => {
    const key = JSON.stringify([method, params])
    const rest = known.get(key) ?? ask(url, method, params)
    known.set(key, rest)
    return rest
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const json: Call | Call[] = JSON.parse(text)
    const calls = Array.isArray(json) ? json : [json]
    const parts: Buffer[] = []
    for (const [index, call] of calls.entries()) {
      const rest = await restOf(call)
      parts.push(Buffer.from(`${index > 0 ? ',' : ''}{"jsonrpc":"2.0","id":${call.id},`))
      parts.push(rest, Buffer.from('}'))
    }
    if (Array.isArray(json))
      parts.splice(0, parts.length, Buffer.from('['), ...parts, Buffer.from(']'))
    response.setHeader('content-type', 'application/json')
    response.end(Buffer.concat(parts))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

/** The rest of the reply after its id. */
async function ask(url: string, method: string, params: unknown): Promise<Buffer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  const [name, value] = error === undefined ? ['result', result] : ['error', error]
  return Buffer.from(`"${name}":${JSON.stringify(value)}`)
}
