import { entryPoint08Address } from 'viem/account-abstraction'
import { BundlerError } from './bundlerError.ts'
import type { ChainOperator } from './bundles/runBundlerLoop.ts'
import type { ChainBundler } from './chainBundler.ts'
import { addOperations } from './mempool/addOperations.ts'
import { listReady } from './mempool/listReady.ts'
import { dropPending, type NewOperation } from './mempool/operationStore.ts'
import { getDelegate, getNumber } from './operations/checkOperation.ts'
import { parseOperation } from './operations/parseOperation.ts'
import { askCode, readDigest } from './operations/seenCode.ts'
import { formatOperation, hashOperation, userOperation } from './operations/userOperation.ts'

type DebugMethod = (params: readonly unknown[]) => Promise<unknown>

/** More than the maximum number of waiting operations. */
const limit = 10_000
const done = 'ok'

/**
 * Responses of the debug methods (ERC-7769) by method: for conformance suites and development only.
 * This bundler keeps no reputations, so the methods about reputations have no effect.
 */
export const createDebugBundler = (
  chain: ChainBundler,
  operator: ChainOperator,
): Readonly<Record<string, DebugMethod>> => {
  const clear = async () => {
    await dropPending(chain)
    return done
  }
  return {
    debug_bundler_addUserOps: async ([operations, entryPoint]) => {
      if (!Array.isArray(operations))
        throw new BundlerError('invalidParams', 'The user operations must be an array')
      for (const one of operations) {
        const added = await acceptUnchecked(chain, [one, entryPoint])
        const [outcome] = await addOperations(chain, [added])
        if (outcome !== 'added') throw new BundlerError('invalidParams', `Not added: ${outcome}`)
      }
      operator.wake()
      return done
    },
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

/**
 * The operation, unchanged and without a validation. Its account's code must not change until it is
 * sent.
 */
async function acceptUnchecked(
  chain: ChainBundler,
  params: readonly unknown[],
): Promise<NewOperation> {
  const operation = parseOperation(userOperation, params)
  const { sender } = operation
  const [code, digest] = await chain.ask([
    { method: 'eth_getCode', params: [sender, 'latest'] },
    askCode(operation, { addresses: [sender], block: 'latest' }),
  ])
  const delegate = getDelegate(operation, String(code?.result))
  return {
    hash: hashOperation(operation, { chainId: getNumber(chain), delegate }),
    operation,
    code: { addresses: [sender], digest: readDigest(digest) },
    deposit: undefined,
    baseFee: 0n,
  }
}

/** Whether the name is the name of a debug method. */
export const isDebugMethod = (method: string): boolean => method.startsWith('debug_bundler_')
