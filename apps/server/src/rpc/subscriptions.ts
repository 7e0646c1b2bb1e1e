import { randomBytes } from 'node:crypto'
import { errorText } from './answerRpc.ts'
import type { Feed } from './createFeed.ts'
import type { RpcCall } from './parseCalls.ts'
import { readSubscription } from './readSubscription.ts'

/** The subscriptions of one client socket. */
export type Subscriptions = {
  /** Answers `eth_subscribe` and `eth_unsubscribe` with the text of a JSON-RPC response. */
  request(call: RpcCall): Promise<string>
  count(): number
  close(): void
}

type Events = { notify(text: string): void; onLost(): void }

const maxSubscriptions = 20

/** Handles the subscriptions of one socket. `feed` is undefined for chains without subscriptions. */
export function openSubscriptions(feed: Feed | undefined, events: Events): Subscriptions {
  const leaves = new Map<string, () => void>()
  // Includes subscriptions that are being opened.
  let count = 0
  let closed = false

  async function subscribe(from: Feed, { id, params = '[]' }: RpcCall): Promise<string> {
    const wanted = readSubscription(params)
    if (wanted === undefined) return errorText(id, 'METHOD_NOT_FOUND', unsupported)
    if (count >= maxSubscriptions) return errorText(id, 'INVALID_REQUEST', tooMany)
    count++
    const own = `"0x${randomBytes(16).toString('hex')}"`
    const joined = await from.join(wanted, {
      onResult: (result) => events.notify(notification(own, result)),
      onLost() {
        if (leaves.delete(own)) count--
        events.onLost()
      },
    })
    if ('error' in joined) {
      count--
      return `{"jsonrpc":"2.0","id":${id},"error":${joined.error}}`
    }
    if (closed) joined.leave()
    else leaves.set(own, joined.leave)
    return `{"jsonrpc":"2.0","id":${id},"result":${own}}`
  }

  function unsubscribe({ id, params = '[]' }: RpcCall): string {
    const list: unknown = JSON.parse(params)
    const own = JSON.stringify(Array.isArray(list) ? (list[0] ?? null) : null)
    const leave = leaves.get(own)
    if (leaves.delete(own)) count--
    leave?.()
    return `{"jsonrpc":"2.0","id":${id},"result":${leave !== undefined}}`
  }

  return {
    async request(call) {
      if (feed === undefined) return errorText(call.id, 'METHOD_NOT_FOUND', unsupported)
      return call.method === 'eth_subscribe' ? subscribe(feed, call) : unsubscribe(call)
    },
    count: () => count,
    close() {
      closed = true
      for (const leave of leaves.values()) leave()
      leaves.clear()
    },
  }
}

const unsupported = 'Only newHeads and logs can be subscribed to'
const tooMany = `At most ${maxSubscriptions} subscriptions per socket`

const notification = (subscription: string, result: string) =>
  `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${subscription},"result":${result}}}`
