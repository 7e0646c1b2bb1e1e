import { loadOnce } from '../../loadOnce.ts'
import type { ConnectorInfo } from '../../state.ts'
import type { Connector } from './connector.ts'

/**
 * A connector that is opened at its first use. With `ask`, it sends its wallet's request at once,
 * before it is opened.
 */
export function lazyConnector({
  info,
  open,
  ask,
}: {
  info: ConnectorInfo
  open: () => Promise<Connector>
  /** May throw, because a wallet's code may throw. */
  ask?: (isAgain?: boolean) => unknown
}): Connector {
  const waiting = new Set<(connector: Connector) => void>()
  let opened: Connector | undefined
  const load = loadOnce(async () => {
    const connector = await open()
    opened = connector
    for (const start of waiting) start(connector)
    waiting.clear()
    return connector
  })
  const askNow = ask && ((isAgain?: boolean) => askSafely(() => ask(isAgain)))
  return {
    info,
    load,
    ...(askNow && { ask: askNow }),
    async connect({ response, ...question }) {
      response ??= askNow?.(question.isAgain)
      return (await load()).connect({ ...question, response })
    },
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

function askSafely(ask: () => unknown): Promise<unknown> {
  const response = (async () => ask())()
  // `connect` handles the error.
  response.catch(() => {})
  return response
}
