import { randomUUID } from 'node:crypto'
import { isError } from '@latchkey/wire'
import { getErrorMessage } from '../../getErrorMessage.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { hasBundlerWork, releaseBundlerLease } from './bundleStore.ts'
import { reopenVanished } from './reopenVanished.ts'
import { sendBundles } from './sendBundles.ts'

/** The work of our bundler on one chain, one round at a time. */
export type ChainOperator = {
  /** There is something to send. Returns at once. */
  wake(): void
  stop(): Promise<void>
}

/** How often it looks for operations that another process left behind or could not take. */
const lookEveryMs = 1_000
/** Whether what was mined lately still is. */
const vanishedEveryMs = 5_000

/** Sends bundles whenever something waits: after {@link ChainOperator.wake}, and now and then for what others left. */
export function operateChain(chain: ChainBundler): ChainOperator {
  const holder = randomUUID()
  const abort = new AbortController()
  let running: Promise<void> | undefined
  let again = false
  let nextLookMs = 0
  const round = async () => {
    do {
      again = false
      try {
        if (performance.now() >= nextLookMs) {
          nextLookMs = performance.now() + vanishedEveryMs
          await reopenVanished(chain, holder)
        }
        // The lease is written to the database: a chain without work takes none.
        if (await hasBundlerWork(chain)) await sendBundles(chain, { holder, signal: abort.signal })
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
    if (abort.signal.aborted) return
    again = true
    running ??= round().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(wake, lookEveryMs)
  timer.unref()
  return {
    wake,
    async stop() {
      abort.abort()
      clearInterval(timer)
      await running
      const { db, chainId } = chain
      await releaseBundlerLease({ db, chainId, holder }).catch(() => {})
    },
  }
}
