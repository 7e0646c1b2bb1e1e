/** The most calls to send to one node in a batch. */
export type BatchLimit = {
  get(): number
  /** Remembers a smaller limit for ten minutes. */
  lower(calls: number): void
}

const rememberedMs = 10 * 60_000
const none = Number.POSITIVE_INFINITY

/** Creates the limit of a node; the operator may configure one. */
export function createBatchLimit(clock: () => number, stated = none): BatchLimit {
  let learnt = { calls: none, atMs: 0 }
  const get = () =>
    Math.abs(clock() - learnt.atMs) < rememberedMs ? Math.min(stated, learnt.calls) : stated
  return {
    get,
    lower(calls) {
      learnt = { calls: Math.min(get(), calls), atMs: clock() }
    },
  }
}
