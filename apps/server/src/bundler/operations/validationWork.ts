import { createFairQueue, type FairQueue, QueueFull } from '../../shares/createFairQueue.ts'
import type { SmartAccountsConfig } from '../bundlerConfig.ts'
import { BundlerError } from '../bundlerError.ts'

/** The limits of the work that operations cause on the nodes of a chain. */
export type ValidationWork = {
  /** The most gas for the validation of the account and of the paymaster, together. */
  readonly maxGas: bigint
  /** The most steps of a validation that is traced. */
  readonly maxSteps: number
  /** Limits the concurrent work of a client; the key is the client. */
  readonly asking: FairQueue
  /**
   * Limits the number of concurrent simulations, estimates and traces; the key is the sender, or
   * the client if known.
   */
  readonly simulating: FairQueue
  readonly tracing: FairQueue
}

/**
 * Others wait for a trace on average so much longer, in milliseconds, because some nodes answer
 * nothing else while they trace.
 */
const othersWaitMs = 2
const mostRestMs = 10_000

/**
 * The limits of a chain. Nodes that only trace take two traces at once; other nodes take one, and
 * rest after it.
 */
export function createValidationWork({
  validationGas = 1_500_000,
  validationSteps = 12_000,
  traceUrls,
}: Partial<SmartAccountsConfig> = {}): ValidationWork {
  // A share s of the time with traces of t milliseconds delays others by s * t / 2.
  const restMs = (tookMs: number) => Math.min(mostRestMs, tookMs ** 2 / (2 * othersWaitMs))
  return {
    maxGas: BigInt(validationGas),
    maxSteps: validationSteps,
    asking: refuse(createFairQueue({ atOnce: 200, perKey: 8, waiting: 1_000 })),
    simulating: refuse(createFairQueue({ atOnce: 2, perKey: 1, waiting: 500 })),
    tracing: refuse(
      traceUrls
        ? createFairQueue({ atOnce: 2, perKey: 1, waiting: 32 })
        : createFairQueue({ atOnce: 1, perKey: 1, waiting: 16, maxWaitMs: 5_000, restMs }),
    ),
  }
}

/**
 * A chain whose work counts for `client`, if given, so that a client that invents many senders
 * still has only one turn.
 */
export function forClient<Chain extends { readonly work: ValidationWork }>(
  chain: Chain,
  client: string | undefined,
): Chain {
  if (client === undefined) return chain
  const { simulating, tracing } = chain.work
  const work: ValidationWork = {
    ...chain.work,
    simulating: (_sender, run) => simulating(client, run),
    tracing: (_sender, run) => tracing(client, run),
  }
  return { ...chain, work }
}

const refuse =
  (queue: FairQueue): FairQueue =>
  (key, work) =>
    queue(key, work).catch((error) => {
      if (!(error instanceof QueueFull)) throw error
      throw new BundlerError('busy', 'Too many operations are being checked: try again in a moment')
    })
