import type { ConnectorInfo } from '../../state.ts'
import type { Connector } from './connector.ts'

/** A connector that is opened at its first use. */
export function lazyConnector({
  info,
  open,
}: {
  info: ConnectorInfo
  open: () => Promise<Connector>
}): Connector {
  const waiting = new Set<(connector: Connector) => void>()
  let opened: Connector | undefined
  const load = lazy(async () => {
    const connector = await open()
    opened = connector
    for (const start of waiting) start(connector)
    waiting.clear()
    return connector
  })
  return {
    info,
    connect: async (parameters) => (await load()).connect(parameters),
    authorized: async (parameters) => (await load()).authorized(parameters),
    request: async (...parameters) => (await load()).request(...parameters),
    selectChain: async (chainId) => (await load()).selectChain?.(chainId),
    approvedMethods: (chainId) => opened?.approvedMethods?.(chainId),
    disconnect: async () => (await load()).disconnect(),
    subscribe(listener) {
      let stop: (() => void) | undefined
      const start = (connector: Connector) => {
        stop = connector.subscribe(listener)
      }
      waiting.add(start)
      load().then(
        (connector) => {
          if (waiting.delete(start)) start(connector)
        },
        () => {},
      )
      return () => {
        waiting.delete(start)
        stop?.()
      }
    },
  }
}

/** Loads once, at the first call. After a failure the next call tries again. */
function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    if (loading) return loading
    const started = load()
    loading = started
    started.catch(() => {
      loading = undefined
    })
    return started
  }
}
