import type { ChainId } from '@latchkey/wire'
import { type NodeSocket, openNodeSocket } from './openNodeSocket.ts'

/** The subscriptions of one chain, shared by all clients. */
export type Feed = {
  /**
   * Has `listener` hear what `params` (one form of {@link readSubscription}) subscribes to, from the next turn of the event
   * loop on: the way to leave, or the raw JSON of an error.
   */
  join(params: string, listener: Listener): Promise<{ leave(): void } | { error: string }>
}

type Listener = {
  /** Raw JSON of what was announced. */
  onResult(result: string): void
  /** Announcements were missed and no more will come. */
  onLost(): void
}

type Shared = {
  readonly listeners: Set<Listener>
  /** Those who listen and those who wait to. */
  users: number
  /** Leaves the node. Does nothing before it runs there. */
  stop: () => void
  /** Undefined when it runs, else why not: raw JSON of an error. */
  ready: Promise<string | undefined>
}

/** One connection to a node. */
type NodeConnection = {
  readonly opened: Promise<NodeSocket | undefined>
  /** What runs there, as the node calls it. */
  readonly running: Map<string, Shared>
}

/** Different subscriptions that a node is asked to carry for us. */
const maxSubscriptions = 2_000

/**
 * Opens a socket to one of the `urls` (HTTP; the healthy first) with the first subscription and closes it with the last.
 * Clients that want the same share one subscription there.
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
    // The next one connects anew.
    line?.opened.then((node) => node?.close())
    line = undefined
  }
  return {
    async join(params, listener) {
      if (!shared.has(params) && shared.size >= maxSubscriptions) return { error: tooMany }
      const one = shared.get(params) ?? open(params)
      one.users++
      const error = await one.ready
      // Lost while it was being opened.
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
