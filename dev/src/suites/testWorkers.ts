import { availableParallelism, totalmem } from 'node:os'

/** Memory of a worker with its chains, servers and browser. */
const bytesEach = 2e9

/**
 * How many test files run at once: two on each processor, because a test often waits, limited by
 * the memory.
 */
export const testWorkers = (): number =>
  Math.max(1, Math.min(2 * availableParallelism(), Math.floor(totalmem() / bytesEach)))
