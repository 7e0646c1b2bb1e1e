import { randomUUID } from 'node:crypto'
import { isError } from '@latchkey/wire'
import { getErrorMessage } from '../../getErrorMessage.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { ChainBundler } from '../chainBundler.ts'
import type { Authorization } from '../operations/userOperation.ts'
import type { Revocation } from './buildRevocations.ts'
import { hasBundlerWork, releaseBundlerLease } from './bundleStore.ts'
import { requeueReorged } from './requeueReorged.ts'
import { sendBundles } from './sendBundles.ts'

/** The work of our bundler on one chain, one round at a time. */
export type ChainOperator = {
  /** Signals that operations are ready to send. Returns at once. */
  wake(): void
  /**
   * Sends an authorization that ends a delegation. Resolves once it was sent, usually after a block
   * has included it. Throws RPC_UNAVAILABLE.
   */
  revoke(authorization: Authorization): Promise<void>
  /**
   * Switches between sending bundles only by {@link ChainOperator.sendOne} and sending them
   * automatically.
   */
  setMode(mode: 'manual' | 'auto'): void
  /** Sends one bundle of waiting operations. Throws RPC_UNAVAILABLE. */
  sendOne(): Promise<void>
  stop(): Promise<void>
}

/** How often it checks for operations that another process has left or could not send. */
const lookEveryMs = 1_000
/** How long a revocation waits while another process sends, or no node answers. */
const maxWaitMs = 15_000
/** Checks that recently mined bundles are still in the chain. */
const vanishedEveryMs = 5_000

/**
 * Sends bundles whenever operations wait: after {@link ChainOperator.wake}, and at intervals,
 * because another process may have left some.
 */
export function runBundlerLoop(chain: ChainBundler): ChainOperator {
  const holder = randomUUID()
  const abort = new AbortController()
  let running: Promise<void> | undefined
  let again = false
  let mode: 'manual' | 'auto' = 'auto'
  let nextLookMs = 0
  const revocations: Revocation[] = []
  const round = async () => {
    do {
      again = false
      try {
        if (performance.now() >= nextLookMs) {
          nextLookMs = performance.now() + vanishedEveryMs
          await requeueReorged(chain, holder)
        }
        // The lease is written to the database: a chain without work takes none.
        if (revocations.length > 0 || (await hasBundlerWork(chain)))
          await sendBundles(chain, { holder, signal: abort.signal, revocations })
      } catch (error) {
        const level = isError(error, 'RPC_UNAVAILABLE') ? 'warn' : 'error'
        chain.log[level](
          { chain: chain.chainId, reason: getErrorMessage(error) },
          'bundling failed',
        )
      }
    } while (again && !abort.signal.aborted)
  }
  const wake = () => {
    if (abort.signal.aborted || mode === 'manual') return
    again = true
    running ??= round().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(wake, lookEveryMs)
  timer.unref()
  return {
    wake,
    revoke: (authorization) =>
      new Promise((resolve, reject) => {
        const revocation = { authorization, done: resolve, failed: reject }
        const timer = setTimeout(() => {
          const at = revocations.indexOf(revocation)
          // Otherwise it is being sent.
          if (at >= 0) revocations.splice(at, 1)
          if (at >= 0) reject(rpcUnavailable(chain.chainId))
        }, maxWaitMs)
        timer.unref()
        revocations.push(revocation)
        wake()
      }),
    setMode(next) {
      mode = next
      wake()
    },
    async sendOne() {
      await running
      await sendBundles(chain, { holder, signal: abort.signal, most: 1 })
    },
    async stop() {
      abort.abort()
      clearInterval(timer)
      await running
      const { db, chainId } = chain
      await releaseBundlerLease({ db, chainId, holder }).catch(() => {})
    },
  }
}
