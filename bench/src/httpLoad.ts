import { connect } from 'node:net'

/**
 * Requests per second that a server answers to `connections` clients who ask for one URL again and again for `ms`. All
 * answers are expected to be as long as the first. Throws when one is not 200.
 */
export async function httpLoad(parameters: {
  readonly url: string
  readonly ms: number
  readonly connections?: number
}): Promise<number> {
  const { url, ms, connections = 16 } = parameters
  const { hostname, port, pathname, search, host } = new URL(url)
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const endsAtMs = performance.now() + ms
  const clients = Array.from({ length: connections }, () =>
    ask({ hostname, port, request, endsAtMs }),
  )
  const answered = await Promise.all(clients)
  return (answered.reduce((sum, count) => sum + count, 0) * 1000) / ms
}

type Client = { hostname: string; port: string; request: string; endsAtMs: number }

function ask({ hostname, port, request, endsAtMs }: Client): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let answers = 0
    let length = 0
    let received = 0
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += chunk.byteLength
      if (length === 0) {
        const head = chunk.toString('latin1')
        const body = /content-length: (\d+)/i.exec(head)?.[1]
        if (!head.startsWith('HTTP/1.1 200') || body === undefined)
          return reject(new Error(`Answered with ${head.slice(0, 200)}`))
        length = head.indexOf('\r\n\r\n') + 4 + Number(body)
      }
      if (received < length) return
      received -= length
      answers++
      if (performance.now() < endsAtMs) return socket.write(request)
      socket.destroy()
      resolve(answers)
    })
  })
}
