import { getErrorMessage } from '../../getErrorMessage.ts'
import { BundlerError, bundlerCodes } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { type StoredOperation, updateCode } from '../mempool/operationStore.ts'
import { traceAgain } from '../operations/checkOperation.ts'
import { forClient } from '../operations/validationWork.ts'

const running = new Set<string>()

/**
 * Traces a waiting operation again whose validation read storage that has changed: it may run other
 * code now. The operation is dropped if it breaks the rules, and may be in the next bundle
 * otherwise. Never throws.
 */
export async function traceChanged(chain: ChainBundler, one: StoredOperation): Promise<void> {
  const key = `${chain.chainId} ${one.hash}`
  if (running.has(key)) return
  running.add(key)
  try {
    // All of them share one turn, so that accounts that change storage all the time do not delay
    // new operations.
    await updateCode(chain, one.hash, await traceAgain(forClient(chain, 'changed'), one))
  } catch (error) {
    const { message: reason, code } =
      error instanceof BundlerError ? error : { message: '', code: 0 }
    // Without a response or a turn, the next bundle tries again.
    if (code === 0 || code === bundlerCodes.busy)
      chain.log.warn({ operation: one.hash, reason: getErrorMessage(error) }, 'not traced again')
    else await updateCode(chain, one.hash, { reason }).catch(() => {})
  } finally {
    running.delete(key)
  }
}
