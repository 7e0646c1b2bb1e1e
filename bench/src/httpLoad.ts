import { connect } from 'node:net'

/**
 * Sends requests for one URL from `connections` clients for `ms`. Returns the number of responses
 * and the elapsed time. Throws if a response is not 200 or a connection ends.
 */
export async function httpLoad(parameters: {
  readonly url: string
  readonly ms: number
  readonly connections?: number
}): Promise<{ readonly answers: number; readonly seconds: number }> {
  const { url, ms, connections = 16 } = parameters
  const { hostname, port, pathname, search, host } = new URL(url)
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + ms
  const clients = Array.from({ length: connections }, () =>
    ask({ hostname, port, request, endsAtMs }),
  )
  const answered = await Promise.all(clients)
  const answers = answered.reduce((sum, count) => sum + count, 0)
  return { answers, seconds: (performance.now() - startedAtMs) / 1000 }
}

type Client = { hostname: string; port: string; request: string; endsAtMs: number }

function ask({ hostname, port, request, endsAtMs }: Client): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let answers = 0
    let left = 0
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server ended a connection')))
    socket.on('data', (chunk) => {
      // Each request is sent after the previous response is complete, so a response begins a chunk.
      left = (left === 0 ? lengthOf(chunk) : left) - chunk.byteLength
      if (Number.isNaN(left)) return reject(new Error(`Answered with ${chunk.subarray(0, 200)}`))
      if (left > 0) return
      answers++
      if (performance.now() < endsAtMs) return socket.write(request)
      resolve(answers)
      socket.destroy()
    })
  })
}

/** Length of head and body. It differs between responses, because prices change. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n') + 4)
  const body = /content-length: (\d+)/i.exec(head)?.[1]
  return head.startsWith('HTTP/1.1 200') && body !== undefined
    ? head.length + Number(body)
    : Number.NaN
}
