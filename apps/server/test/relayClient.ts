import { generateKeyPairSync, sign } from 'node:crypto'
import { WebSocket } from 'ws'

/** The audience of all tokens, for every process. */
export const testAudience = 'wss://relay.test'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base64Url = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')

/**
 * A client's identity: its id, and a token for `audience` that is valid for a day, with the claims
 * in `changes`.
 */
export function createIdentity(audience = testAudience, changes: Record<string, unknown> = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
  let value = BigInt(`0xed01${raw.toString('hex')}`)
  let encoded = ''
  for (; value > 0n; value /= 58n) encoded = (base58[Number(value % 58n)] ?? '') + encoded
  const clientId = `did:key:z${encoded}`
  const iat = Math.floor(Date.now() / 1000)
  const times = { iat, exp: iat + 86_400 }
  const claims = { iss: clientId, sub: 'ab'.repeat(32), aud: audience, ...times, ...changes }
  const text = `${base64Url({ alg: 'EdDSA', typ: 'JWT' })}.${base64Url(claims)}`
  return {
    clientId,
    token: `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`,
  }
}

type Push = { readonly id: number; readonly topic: string; readonly message: string }
type RpcResponse = { readonly result?: unknown; readonly error?: unknown }

/**
 * A client that behaves like a wallet's: it keeps each published message until the relay returns
 * `true`, subscribes again on every new socket, and moves to another relay of `urls` if its relay
 * is gone. `acknowledges` may refuse a push.
 */
export function createRelayClient(parameters: {
  readonly urls: readonly string[]
  readonly acknowledges?: (push: Push) => boolean
}) {
  const { urls, acknowledges = () => true } = parameters
  const { clientId, token } = createIdentity()
  const topics = new Set<string>()
  const pushes: Push[] = []
  const closes: number[] = []
  const unanswered = new Map<number, { frame: string; done(): void }>()
  let lastId = 1_000_000
  let at = 0
  let socket: WebSocket | undefined
  let ended = false

  function connect(): void {
    const url = urls[at % urls.length] ?? ''
    const opening = new WebSocket(
      `${url.replace('http', 'ws')}/?auth=${token}&projectId=test&useOnCloseEvent=true`,
    )
    socket = opening
    opening.on('open', () => {
      if (topics.size > 0) request('irn_batchSubscribe', { topics: [...topics] })
      for (const { frame } of unanswered.values()) opening.send(frame)
    })
    opening.on('message', (data) => receive(opening, JSON.parse(String(data))))
    opening.on('error', () => {})
    opening.on('close', (code) => {
      closes.push(code)
      for (const [id, { frame }] of unanswered)
        if (frame.includes('irn_batchSubscribe')) unanswered.delete(id)
      at += 1
      if (!ended && socket === opening) setTimeout(connect, 20)
    })
  }
  function receive(
    on: WebSocket,
    frame: RpcResponse & { id: number; params?: { data: Omit<Push, 'id'> } },
  ) {
    if (frame.params) {
      const push = { ...frame.params.data, id: frame.id }
      pushes.push(push)
      if (acknowledges(push)) on.send(`{"id":${frame.id},"jsonrpc":"2.0","result":true}`)
      return
    }
    const waiting = unanswered.get(frame.id)
    if (!waiting) return
    if (frame.result !== undefined) {
      unanswered.delete(frame.id)
      waiting.done()
    } else
      setTimeout(() => socket?.readyState === WebSocket.OPEN && socket.send(waiting.frame), 100)
  }
  function request(method: string, params: unknown): Promise<void> {
    lastId += 1
    const id = lastId
    const frame = JSON.stringify({ id, jsonrpc: '2.0', method, params })
    return new Promise((done) => {
      unanswered.set(id, { frame, done })
      if (socket?.readyState === WebSocket.OPEN) socket.send(frame)
    })
  }

  return {
    clientId,
    /** All pushed messages, including duplicates. */
    pushes,
    closes,
    /** Begins with relay number `first`. */
    start(first = 0): void {
      at = first
      connect()
    },
    subscribe(topic: string): Promise<void> {
      topics.add(topic)
      return request('irn_subscribe', { topic })
    },
    /** Resolves when a relay has answered `true`. */
    publish: (topic: string, message: string): Promise<void> =>
      request('irn_publish', { topic, message, ttl: 300, tag: 1108 }),
    /** Leaves for another relay. */
    move: () => socket?.terminate(),
    end(): void {
      ended = true
      socket?.terminate()
    },
  }
}
