/** The maximum number of items in one list. */
const maxTogether = 200

/**
 * Batches single requests: requests that arrive while a batch is running join the next batch. An
 * error of a batch rejects all of its requests.
 */
export function batchRequests<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  type Waiting = {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (waiting.length > 0) {
      const taken = waiting.slice(0, maxTogether)
      waiting = waiting.slice(maxTogether)
      try {
        const results = await work(taken.map(({ item }) => item))
        for (const [index, { resolve }] of taken.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    isRunning = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
