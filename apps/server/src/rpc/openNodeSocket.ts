import { type ChainId, parseChainId } from '@latchkey/wire'
import { WebSocket } from 'ws'
import { getNodeProtocol } from '../nodes/nodeProtocols.ts'
import { splitObject } from '../scanJson.ts'

/** The members of a JSON object, as raw JSON. */
type Fields = ReadonlyMap<string, string>

/** A WebSocket to a node of the right chain. */
export type NodeSocket = {
  /** Resolves to the members of the response, or to undefined if none arrives in time. */
  ask(method: string, params: string): Promise<Fields | undefined>
  close(): void
}

type Events = {
  /**
   * Called with the method and the `params` of a notification. The response with the subscription's
   * id always arrives in an earlier turn of the event loop.
   */
  notified(method: string, params: Fields): void
  /** Called when the socket has ended, regardless of which side closed it. */
  closed(): void
}

const timeoutMs = 10_000
const pingEveryMs = 20_000
// A Solana account of the largest size (10 MiB) in base64 fits: a client must not end the
// connection of all others.
const maxPayload = 16 * 1024 * 1024

/**
 * Connects to the node with the HTTP URL `url`. Undefined if it does not answer or serves another
 * chain.
 */
export async function openNodeSocket(
  url: string,
  chainId: ChainId,
  events: Events,
): Promise<NodeSocket | undefined> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    followRedirects: false,
    maxPayload,
    // Otherwise a notification could overtake the response with its subscription's id.
    allowSynchronousEvents: false,
  })
  const pending = new Map<string, (answer: Fields | undefined) => void>()
  let nextId = 1
  const ask: NodeSocket['ask'] = (method, params) =>
    new Promise((resolve) => {
      if (socket.readyState !== WebSocket.OPEN) return resolve(undefined)
      const id = String(nextId++)
      const settle = (answer: Fields | undefined) => {
        clearTimeout(timer)
        pending.delete(id)
        resolve(answer)
      }
      const timer = setTimeout(() => settle(undefined), timeoutMs)
      pending.set(id, settle)
      socket.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`)
    })
  socket.on('message', (data) => {
    const fields = readObject(String(data))
    if (fields === undefined) return socket.terminate()
    const id = fields.get('id')
    if (id !== undefined) return pending.get(id)?.(fields)
    const params = readObject(fields.get('params') ?? '')
    const method: unknown = JSON.parse(fields.get('method') ?? 'null')
    if (params && typeof method === 'string') events.notified(method, params)
  })
  const watching = watch(socket)
  const opened = await new Promise<boolean>((resolve) => {
    socket.on('open', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => {
      clearInterval(watching)
      for (const settle of pending.values()) settle(undefined)
      resolve(false)
    })
  })
  const isRight = opened && (await servesChain(ask, chainId))
  if (!isRight || socket.readyState !== WebSocket.OPEN) {
    socket.terminate()
    return undefined
  }
  socket.on('close', events.closed)
  return { ask, close: () => socket.close() }
}

/** Whether the node reports that it serves the chain, or cannot report it over the socket. */
async function servesChain(ask: NodeSocket['ask'], chainId: ChainId): Promise<boolean> {
  const protocol = getNodeProtocol(chainId)
  if (protocol.rpc === undefined) return false
  const answer = await ask(protocol.rpc.identify, '[]')
  const result = answer?.get('result')
  if (result !== undefined) return protocol.isChain(parseChainId(chainId).reference, result)
  const code = readObject(answer?.get('error') ?? '')?.get('code')
  return protocol.rpc.hasPlainSockets && code === '-32601'
}

/**
 * Ends a socket that does not answer pings. Otherwise a node that vanished would look like a chain
 * on which nothing happens.
 */
function watch(socket: WebSocket) {
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  return setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, pingEveryMs).unref()
}

function readObject(text: string): Fields | undefined {
  try {
    const json: unknown = JSON.parse(text)
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
    return isObject ? new Map(splitObject(text)) : undefined
  } catch {
    return undefined
  }
}
