import { availableParallelism, totalmem } from 'node:os'

/** What a worker takes with its chains, servers and browser. */
const bytesEach = 2e9

/**
 * How many test files run at once: two on each processor, as a test often waits, and no more than
 * the memory holds.
 */
export const testWorkers = (): number =>
  Math.max(1, Math.min(2 * availableParallelism(), Math.floor(totalmem() / bytesEach)))
