/** The settings of a network's node client. */
export type NodeSettings = {
  url: string
  /** The name of the network, for error messages. */
  chain: string
  fetch: typeof globalThis.fetch
  now: () => number
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
}
