import type { ConnectorInfo } from '../../state.ts'
import type { Connector } from './connector.ts'

/** What a browser wallet offers a page (EIP-1193). Nothing it says is believed before it is parsed. */
export type Provider = {
  request(parameters: { method: string; params?: readonly unknown[] | object }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** Whether a value looks like a provider. */
export const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { request?: unknown }).request === 'function'

export type Eip1193Parameters = {
  info: ConnectorInfo
  /** Asked for at each use: a provider may appear late. */
  provider: () => Provider | undefined
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** A connector over an EIP-1193 provider. All but asking it is loaded at its first use: most wallets found are never asked. */
export function lazyEip1193(parameters: Eip1193Parameters): Connector {
  const connector = lazyConnector({
    info: parameters.info,
    open: () => import('./eip1193.ts').then((module) => module.createEip1193(parameters)),
  })
  const ask = () => {
    const asked = requestAccounts(parameters)
    // Whoever connects hears of it.
    asked.catch(() => {})
    return asked
  }
  return {
    ...connector,
    ask,
    connect: ({ asked = ask(), ...question }) => connector.connect({ ...question, asked }),
  }
}

// Async, as a wallet's code may throw.
const requestAccounts = async ({ provider }: Eip1193Parameters) =>
  provider()?.request({ method: 'eth_requestAccounts' })

/** A connector that is opened at its first use. */
export function lazyConnector({
  info,
  open,
}: {
  info: ConnectorInfo
  open: () => Promise<Connector>
}): Connector {
  let loading: Promise<Connector> | undefined
  const waiting = new Set<(connector: Connector) => void>()
  const load = () => {
    if (loading) return loading
    loading = open()
    loading.then(
      (connector) => {
        for (const start of waiting) start(connector)
        waiting.clear()
      },
      // A chunk that could not be fetched is fetched again at the next use.
      () => {
        loading = undefined
      },
    )
    return loading
  }
  return {
    info,
    connect: async (parameters) => (await load()).connect(parameters),
    authorized: async (parameters) => (await load()).authorized(parameters),
    request: async (...parameters) => (await load()).request(...parameters),
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
