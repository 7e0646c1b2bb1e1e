import type { ChainId } from '@latchkey/wire'
import { createFairRoom, type FairShare } from '../shares/createFairRoom.ts'
import { type NodeSocket, openNodeSocket } from './openNodeSocket.ts'
import type { Subscription } from './rpcProtocol.ts'

/** The subscriptions of one chain, shared by all clients. */
export type Feed = {
  /**
   * Adds a listener of `client` (an address) to a subscription, from the next turn of the event
   * loop on. Returns a function that leaves, or the raw JSON of an error.
   */
  join(
    subscription: Subscription,
    listener: Listener & { readonly client: string },
  ): Promise<{ leave(): void } | { error: string }>
}

type Listener = {
  /** The client's address. */
  readonly client: string
  /** Called with the raw JSON of each notification. */
  onResult(result: string): void
  /** Called when notifications were missed. No further notifications will come. */
  onLost(): void
}

type SharedSubscription = {
  readonly key: string
  readonly subscription: Subscription
  readonly listeners: Set<Listener>
  /** Active listeners, and those that wait for the node's response. */
  users: number
  /**
   * The client that the subscription counts for, and its place among the subscriptions of this
   * client.
   */
  client: string
  place: FairShare
  /** Unsubscribes at the node. Does nothing before the subscription is active. */
  stop: () => void
  /** Resolves to undefined once the subscription is active, or to the raw JSON of an error. */
  ready: Promise<string | undefined>
}

/** One connection to a node. */
type NodeConnection = {
  readonly opened: Promise<NodeSocket | undefined>
  /** Active subscriptions by the method of their notifications and the node's id. */
  readonly running: Map<string, SharedSubscription>
}

/**
 * The most different subscriptions that this server opens at a node, and those that one client may
 * have opened.
 */
const maxSubscriptions = { total: 2_000, perClient: 200 }

/**
 * Opens a socket to a node in `urls` (HTTP, healthy nodes first) for the first subscription, and
 * closes it after the last one. Clients with equal parameters share one subscription at the node.
 * If there are too many subscriptions, the oldest of the client that opened the most is ended,
 * unless a client with fewer subscriptions shares it: then it counts for that client.
 */
export function createFeed(chainId: ChainId, urls: () => readonly string[]): Feed {
  const shared = new Map<string, SharedSubscription>()
  const room = createFairRoom(maxSubscriptions)
  let nodeConnection: NodeConnection | undefined

  const loseConnection = () => {
    nodeConnection = undefined
    const ended = [...shared.values()]
    shared.clear()
    for (const one of ended) lose(one)
  }
  const lose = ({ place, listeners }: SharedSubscription) => {
    place.leave()
    for (const { onLost: tell } of [...listeners]) tell()
  }
  /**
   * Moves the place of a subscription to the client with the fewest subscriptions that shares it.
   * False if every such client has at least as many as the current one.
   */
  const passOn = (one: SharedSubscription) => {
    const clients = [...one.listeners].map(({ client }) => client)
    const [heir] = clients.sort((a, b) => room.weight(a) - room.weight(b))
    if (heir === undefined || room.weight(heir) >= room.weight(one.client)) return false
    one.client = heir
    one.place = room.enter(heir, () => evict(one.key))
    return true
  }
  const evict = (key: string) => {
    const one = shared.get(key)
    if (one === undefined || passOn(one)) return
    shared.delete(key)
    void one.ready.then(() => one.stop())
    lose(one)
  }
  const connect = async (running: NodeConnection['running'], isCurrent: () => boolean) => {
    for (const url of urls()) {
      const opened = await openNodeSocket(url, chainId, {
        notified(method, params) {
          const key = `${method} ${params.get('subscription')}`
          const one = running.get(key)
          const result = params.get('result')
          if (one === undefined || result === undefined) return
          for (const { onResult } of [...one.listeners]) onResult(result)
          if (one.subscription.isSingle && running.delete(key)) forget(one)
        },
        closed: () => isCurrent() && loseConnection(),
      }).catch(() => undefined)
      if (opened) return opened
    }
    return undefined
  }
  const openConnection = (): NodeConnection => {
    const running: NodeConnection['running'] = new Map()
    const opened = connect(running, () => nodeConnection === ownConnection)
    const ownConnection: NodeConnection = { opened, running }
    return ownConnection
  }
  const begin = async (one: SharedSubscription) => {
    const { method, params, unsubscribe, notification } = one.subscription
    nodeConnection ??= openConnection()
    const { opened, running } = nodeConnection
    const node = await opened
    const answer = await node?.ask(method, params)
    const id = answer?.get('result')
    if (node === undefined || id === undefined) return answer?.get('error') ?? unavailable
    const key = `${notification} ${id}`
    running.set(key, one)
    one.stop = () => {
      if (running.delete(key)) void node.ask(unsubscribe, `[${id}]`)
    }
    return undefined
  }
  const open = (key: string, subscription: Subscription, client: string) => {
    const one: SharedSubscription = {
      key,
      subscription,
      listeners: new Set(),
      users: 0,
      client,
      place: room.enter(client, () => evict(key)),
      stop() {},
      ready: Promise.resolve(undefined),
    }
    shared.set(key, one)
    one.ready = begin(one)
    return one
  }
  const release = (one: SharedSubscription) => {
    one.users--
    if (one.users === 0) forget(one)
  }
  const forget = (one: SharedSubscription) => {
    if (shared.get(one.key) !== one) return
    shared.delete(one.key)
    one.place.leave()
    one.stop()
    if (shared.size > 0) return
    // The next subscription opens a new connection.
    nodeConnection?.opened.then((node) => node?.close())
    nodeConnection = undefined
  }
  return {
    async join(subscription, listener) {
      const { client } = listener
      const key = `${subscription.method} ${subscription.params}`
      if (!shared.has(key) && room.weight(client) >= maxSubscriptions.perClient)
        return { error: tooMany }
      const one = shared.get(key) ?? open(key, subscription, client)
      one.users++
      const error = await one.ready
      // The connection was lost while it was being opened.
      const isReplaced = shared.get(key) !== one
      if (error !== undefined || isReplaced) {
        release(one)
        return { error: error ?? unavailable }
      }
      one.listeners.add(listener)
      return {
        leave() {
          if (one.listeners.delete(listener)) release(one)
        },
      }
    },
  }
}

const unavailable = '{"code":-32002,"message":"Subscriptions of this chain are unavailable now"}'
const tooMany = '{"code":-32005,"message":"You have opened too many subscriptions"}'
