import { entryPoint08Address } from 'viem/account-abstraction'
import { BundlerError } from './bundlerError.ts'
import type { ChainOperator } from './bundles/operateChain.ts'
import type { ChainBundler } from './chainBundler.ts'
import { dropPending, listReady } from './operations/operationStore.ts'
import { formatOperation } from './operations/userOperation.ts'

type Answer = (params: readonly unknown[]) => Promise<unknown>

/** More than what waits at most. */
const limit = 10_000
const done = 'ok'

/**
 * Answers of the debug methods (ERC-7769) by method: for conformance suites and development only. This bundler keeps no reputations, so the methods about
 * reputations have no effect.
 */
export const createDebugBundler = (
  chain: ChainBundler,
  operator: ChainOperator,
): Readonly<Record<string, Answer>> => {
  const clear = async () => {
    await dropPending(chain)
    return done
  }
  return {
    debug_bundler_clearState: clear,
    debug_bundler_clearMempool: clear,
    debug_bundler_clearReputation: async () => done,
    debug_bundler_dumpMempool: async () =>
      (await listReady(chain, { limit })).map(({ operation }) => formatOperation(operation)),
    debug_bundler_sendBundleNow: async () => {
      await operator.sendOne()
      return done
    },
    debug_bundler_setBundlingMode: async ([mode]) => {
      if (mode !== 'manual' && mode !== 'auto')
        throw new BundlerError('invalidParams', 'The mode must be manual or auto')
      operator.setMode(mode)
      return done
    },
    debug_bundler_setReputation: async () => done,
    debug_bundler_dumpReputation: async () => [],
    debug_bundler_getStakeStatus: async ([address, entryPoint = entryPoint08Address]) => ({
      stakeInfo: { addr: address, entryPoint, stake: '0', unstakeDelaySec: '0' },
      isStaked: false,
    }),
  }
}

/** Whether the name is the name of a debug method. */
export const isDebugMethod = (method: string): boolean => method.startsWith('debug_bundler_')
