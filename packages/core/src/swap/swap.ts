import type { App } from '../app.ts'
import type { SwapOutcome, SwapPlan } from '../namespaces/swapPlan.ts'
import { assertCurrent, toSendError } from '../send/send.ts'

/**
 * Swaps as reviewed. `onStep` tells which step the wallet is asked for. Resolves once the wallet has taken the last. Throws the errors that
 * the user can act on as they are, and any other as SEND_FAILED with its cause.
 */
export async function swap(
  app: App,
  parameters: { plan: SwapPlan; onStep?: (index: number) => void; signal?: AbortSignal },
): Promise<SwapOutcome> {
  const { plan, onStep, signal: own } = parameters
  const signal = own ? AbortSignal.any([app.signal, own]) : app.signal
  try {
    assertCurrent(app, plan)
    return await plan.execute(signal, onStep)
  } catch (cause) {
    throw toSendError(cause)
  }
}
