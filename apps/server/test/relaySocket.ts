import { type ClientOptions, WebSocket } from 'ws'
import { metricsToken } from './readMetrics.ts'
import { createIdentity, testAudience } from './relayClient.ts'

type Parameters = {
  readonly identity?: { readonly token: string }
  readonly query?: Record<string, string>
  readonly options?: ClientOptions
}

/** The URL of a relay with all of the client's parameters. */
function relayUrl(url: string, { identity, query }: Parameters = {}): string {
  const search = new URLSearchParams({
    auth: (identity ?? createIdentity()).token,
    projectId: 'test',
    ua: 'wc-2/js-0/test',
    ...query,
  })
  for (const [name, value] of [...search]) if (value === '') search.delete(name)
  return `${url.replace(/^http/, 'ws')}/?${search}`
}

/** How an upgrade ends: the close after it, or the HTTP answer in its place. */
export function refusalOf(url: string, parameters: Parameters = {}) {
  const socket = new WebSocket(relayUrl(url, parameters), parameters.options)
  return new Promise<{ code?: number; status?: number | undefined; reason: string }>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
    socket.on('unexpected-response', (_, response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => {
        const reason = JSON.parse(body).reasons[0].description
        resolve({ status: response.statusCode, reason })
      })
    })
  })
}

type Data = { topic: string; message: string; publishedAt: number; tag: number }
type Sent = {
  id: number | string
  method?: string
  params?: { id: string; data: Data }
  result?: unknown
  error?: { code: number; data: string }
}

/** An open socket of a client that records all messages and answers none by itself. */
export async function openRelaySocket(url: string, parameters: Parameters = {}) {
  const socket = new WebSocket(relayUrl(url, parameters), parameters.options)
  const frames: string[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    frames.push(String(data))
    for (const look of waiting) look()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  const heard = () => frames.map((text): Sent => JSON.parse(text))
  let lastId = 0

  /** Resolves with what `find` finds in the frames heard so far or later. */
  const until = <Found>(find: (frames: readonly string[]) => Found | undefined) =>
    new Promise<Found>((resolve) => {
      const look = () => {
        const found = find(frames)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  /** Sends `text` and returns the next frame that is not a push. */
  async function ask(text: string | Buffer): Promise<string> {
    const before = frames.length
    socket.send(text)
    return until((all) => all.slice(before).find((frame) => !frame.includes('_subscription"')))
  }
  return {
    socket,
    frames,
    heard,
    until,
    closed,
    ask,
    pushes: () => heard().filter(({ method }) => method?.endsWith('_subscription')),
    /** Resolves to all pushed messages when their number reaches `count`. */
    messages: (count: number) =>
      until((all) => {
        const texts = all.map((text): Sent => JSON.parse(text))
        const found = texts.flatMap(({ params }) => (params ? [params.data.message] : []))
        return found.length >= count ? found : undefined
      }),
    /** Sends a request and returns its result, or the tag of its error. */
    async call(method: string, params: unknown): Promise<unknown> {
      lastId += 1
      const id = `call-${lastId}`
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      const frame = await until((all) => all.find((text) => text.startsWith(`{"id":"${id}"`)))
      const answer: Sent = JSON.parse(frame)
      return answer.error?.data ?? answer.result
    },
    acknowledge(pushId: number | string): void {
      socket.send(`{"id":${pushId},"jsonrpc":"2.0","result":true}`)
    },
  }
}

export const testRelayEnv = {
  ROLE: 'relay',
  PORT: '0',
  LOG_LEVEL: 'silent',
  METRICS_TOKEN: metricsToken,
  RELAY_AUDIENCES: testAudience,
}
