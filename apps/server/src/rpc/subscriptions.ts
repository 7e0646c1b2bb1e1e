import { errorText } from './answerRpc.ts'
import type { Feed } from './createFeed.ts'
import type { RpcCall } from './parseCalls.ts'
import type { Subscription, SubscriptionProtocol } from './rpcProtocol.ts'

/** The subscriptions of one client socket. */
export type Subscriptions = {
  /**
   * Handles a call that subscribes or unsubscribes, and returns a JSON-RPC response as a string;
   * undefined for other calls.
   */
  request(call: RpcCall): Promise<string> | undefined
  count(): number
  close(): void
}

type Events = { readonly client: string; notify(text: string): void; onLost(): void }

const maxSubscriptions = 20

type Source = { readonly feed: Feed; readonly protocol: SubscriptionProtocol }

/**
 * Handles the subscriptions of one socket. `source` is undefined for chains without subscriptions.
 */
export function openSubscriptions(source: Source | undefined, events: Events): Subscriptions {
  const leaves = new Map<string, () => void>()
  // Includes subscriptions that are being opened.
  let count = 0
  let opened = 0
  let closed = false

  async function subscribe({ feed, protocol }: Source, call: RpcCall): Promise<string> {
    const { id, method, params = '[]' } = call
    const subscription = protocol.read(method, params)
    if (subscription === undefined) return errorText(id, 'METHOD_NOT_FOUND', protocol.offer)
    if (count >= maxSubscriptions) return errorText(id, 'INVALID_REQUEST', tooMany)
    count++
    opened++
    const own = protocol.createId(opened)
    const joined = await feed.join(subscription, {
      client: events.client,
      onResult(result) {
        events.notify(notification(subscription, own, result))
        if (subscription.isSingle && leaves.delete(own)) count--
      },
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
    request(call) {
      if (source?.protocol.subscribe.has(call.method)) return subscribe(source, call)
      if (source?.protocol.unsubscribe.has(call.method)) return Promise.resolve(unsubscribe(call))
      return undefined
    },
    count: () => count,
    close() {
      closed = true
      for (const leave of leaves.values()) leave()
      leaves.clear()
    },
  }
}

const tooMany = `At most ${maxSubscriptions} subscriptions per socket`

const notification = ({ notification: method }: Subscription, own: string, result: string) =>
  `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":${own},"result":${result}}}`
