import type { ChainId } from '@latchkey/wire'
import { WebSocket } from 'ws'
import { errorText } from './answerRpc.ts'
import type { RpcCall } from './parseCalls.ts'
import { splitObject } from './scanJson.ts'

/** The subscriptions of one client socket, carried by one upstream socket that opens with the first of them. */
export type Subscriptions = {
  /** Answers `eth_subscribe` and `eth_unsubscribe` with the text of a JSON-RPC response. */
  request(call: RpcCall): Promise<string>
  count(): number
  close(): void
}

type Events = { notify(text: string): void; lost(): void }
type Pending = (answer: Map<string, string> | undefined) => void

const maxSubscriptions = 20
const openTimeoutMs = 10_000
const maxPayload = 10 * 1024 * 1024

/** Nothing is opened before the first `request`. `urls` are HTTP upstreams, their WebSocket is at the same place. */
export function openSubscriptions(
  urls: readonly string[],
  chainId: ChainId,
  events: Events,
): Subscriptions {
  const active = new Set<string>()
  const pending = new Map<string, Pending>()
  let socket: Promise<WebSocket | undefined> | undefined
  let closed = false
  let nextId = 1

  const ask = (to: WebSocket, method: string, params: string) =>
    new Promise<Map<string, string> | undefined>((resolve) => {
      const id = String(nextId++)
      const timer = setTimeout(() => settle(undefined), openTimeoutMs)
      const settle: Pending = (answer) => {
        clearTimeout(timer)
        pending.delete(id)
        resolve(answer)
      }
      pending.set(id, settle)
      to.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`)
    })

  const listen = (to: WebSocket) => {
    to.on('message', (data) => {
      const text = String(data)
      const fields = parse(text)
      const id = fields?.get('id')
      if (fields === undefined) return to.close()
      if (id !== undefined) return pending.get(id)?.(fields)
      if (fields.get('method') === '"eth_subscription"') events.notify(text)
    })
    to.on('close', () => {
      for (const settle of pending.values()) settle(undefined)
      socket = undefined
      if (active.size > 0 && !closed) events.lost()
      active.clear()
    })
  }

  const connect = async (): Promise<WebSocket | undefined> => {
    for (const url of urls) {
      const opened = await open(url)
      if (opened === undefined) continue
      listen(opened)
      const said = (await ask(opened, 'eth_chainId', '[]'))?.get('result')
      const right = `"0x${BigInt(chainId.slice(chainId.indexOf(':') + 1)).toString(16)}"`
      if (said?.toLowerCase() === right && !closed) return opened
      opened.close()
    }
    socket = undefined
    return undefined
  }

  return {
    async request({ id, method, params = '[]' }) {
      if (!chainId.startsWith('eip155:') || !isAllowed(method, params))
        return errorText(id, 'METHOD_NOT_FOUND', 'Only newHeads and logs can be subscribed to')
      if (method === 'eth_subscribe' && active.size >= maxSubscriptions)
        return errorText(
          id,
          'INVALID_REQUEST',
          `At most ${maxSubscriptions} subscriptions a socket`,
        )
      socket ??= connect()
      const upstream = await socket
      const answer = upstream && (await ask(upstream, method, params))
      const result = answer?.get('result')
      if (result !== undefined && method === 'eth_subscribe') active.add(result)
      if (result === 'true') active.delete(JSON.stringify(JSON.parse(params)[0]))
      if (result !== undefined) return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
      const error = answer?.get('error') ?? unavailable
      return `{"jsonrpc":"2.0","id":${id},"error":${error}}`
    },
    count: () => active.size,
    close() {
      closed = true
      socket?.then(
        (opened) => opened?.close(),
        () => {},
      )
    },
  }
}

const unavailable = '{"code":-32002,"message":"The chain offers no subscriptions now"}'

function isAllowed(method: string, params: string): boolean {
  const list: unknown = JSON.parse(params)
  if (!Array.isArray(list)) return false
  return method === 'eth_unsubscribe' || list[0] === 'newHeads' || list[0] === 'logs'
}

function parse(text: string): Map<string, string> | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? new Map(splitObject(text)) : undefined
  } catch {
    return undefined
  }
}

function open(httpUrl: string): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(httpUrl.replace(/^http/, 'ws'), {
      perMessageDeflate: false,
      handshakeTimeout: openTimeoutMs,
      followRedirects: false,
      maxPayload,
      // Else a notification could overtake the answer that tells its subscription's id.
      allowSynchronousEvents: false,
    })
    socket.on('open', () => resolve(socket))
    socket.on('error', () => resolve(undefined))
  })
}
