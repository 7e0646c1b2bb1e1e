import type { ChainId } from '@latchkey/wire'
import { type NodeSocket, openNodeSocket } from './openNodeSocket.ts'

/** The subscriptions of one chain, shared by all clients. */
export type Feed = {
  /**
   * Subscribes `listener` to `params` (in the form of {@link readSubscription}), from the next turn of the event loop on.
   * Returns a function that leaves, or the raw JSON of an error.
   */
  join(params: string, listener: Listener): Promise<{ leave(): void } | { error: string }>
}

type Listener = {
  /** Called with the raw JSON of each notification. */
  onResult(result: string): void
  /** Called when notifications were missed. No more will come. */
  onLost(): void
}

type Shared = {
  readonly listeners: Set<Listener>
  /** Active listeners, and those that wait for the node's answer. */
  users: number
  /** Unsubscribes at the node. Does nothing before the subscription is active. */
  stop: () => void
  /** Resolves to undefined once the subscription is active, or to the raw JSON of an error. */
  ready: Promise<string | undefined>
}

/** One connection to a node. */
type NodeConnection = {
  readonly opened: Promise<NodeSocket | undefined>
  /** Active subscriptions by the node's id. */
  readonly running: Map<string, Shared>
}

/** The most different subscriptions that this server opens at a node. */
const maxSubscriptions = 2_000

/**
 * Opens a socket to one of the `urls` (HTTP, healthy ones first) for the first subscription, and closes it after the last
 * one. Clients with equal parameters share one subscription at the node.
 */
export function createFeed(chainId: ChainId, urls: () => readonly string[]): Feed {
  const shared = new Map<string, Shared>()
  let line: NodeConnection | undefined

  const loseConnection = () => {
    line = undefined
    const lost = [...shared.values()]
    shared.clear()
    for (const { listeners } of lost) for (const { onLost: tell } of [...listeners]) tell()
  }
  const connect = async (running: NodeConnection['running'], isCurrent: () => boolean) => {
    for (const url of urls()) {
      const opened = await openNodeSocket(url, chainId, {
        notified(params) {
          const one = running.get(params.get('subscription') ?? '')
          const result = params.get('result')
          if (result !== undefined)
            for (const { onResult } of [...(one?.listeners ?? [])]) onResult(result)
        },
        closed: () => isCurrent() && loseConnection(),
      }).catch(() => undefined)
      if (opened) return opened
    }
    return undefined
  }
  const openLine = (): NodeConnection => {
    const running: NodeConnection['running'] = new Map()
    const opened = connect(running, () => line === mine)
    const mine: NodeConnection = { opened, running }
    return mine
  }
  const begin = async (one: Shared, params: string) => {
    line ??= openLine()
    const { opened, running } = line
    const node = await opened
    const answer = await node?.ask('eth_subscribe', params)
    const id = answer?.get('result')
    if (node === undefined || id === undefined) return answer?.get('error') ?? unavailable
    running.set(id, one)
    one.stop = () => {
      running.delete(id)
      void node.ask('eth_unsubscribe', `[${id}]`)
    }
    return undefined
  }
  const open = (params: string) => {
    const one: Shared = {
      listeners: new Set(),
      users: 0,
      stop() {},
      ready: Promise.resolve(undefined),
    }
    shared.set(params, one)
    one.ready = begin(one, params)
    return one
  }
  const release = (one: Shared, params: string) => {
    one.users--
    if (one.users > 0 || shared.get(params) !== one) return
    shared.delete(params)
    one.stop()
    if (shared.size > 0) return
    // The next subscription opens a new connection.
    line?.opened.then((node) => node?.close())
    line = undefined
  }
  return {
    async join(params, listener) {
      if (!shared.has(params) && shared.size >= maxSubscriptions) return { error: tooMany }
      const one = shared.get(params) ?? open(params)
      one.users++
      const error = await one.ready
      // The connection was lost while it was being opened.
      const gone = shared.get(params) !== one
      if (error !== undefined || gone) {
        release(one, params)
        return { error: error ?? unavailable }
      }
      one.listeners.add(listener)
      return {
        leave() {
          if (one.listeners.delete(listener)) release(one, params)
        },
      }
    },
  }
}

const unavailable = '{"code":-32002,"message":"The chain offers no subscriptions now"}'
const tooMany = '{"code":-32005,"message":"Too many subscriptions are open. Try again later"}'
