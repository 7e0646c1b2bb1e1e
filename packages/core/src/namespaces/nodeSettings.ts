/** What the client of a network's node is made of. */
export type NodeSettings = {
  url: string
  /** Name of the network, for error texts. */
  chain: string
  fetch: typeof globalThis.fetch
  now: () => number
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
}
