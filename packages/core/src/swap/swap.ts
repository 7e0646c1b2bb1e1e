import { anySignal, isError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { SwapOutcome, SwapPlan } from '../namespaces/swapPlan.ts'
import { assertCurrent, toSendError } from '../send/send.ts'
import { clearSwapDraft, saveSwapDraft } from './persistSwapDraft.ts'
import { forgetSwap, saveOutcome, saveSwap } from './sentSwaps.ts'

/** Errors after which only the wallet can report the status of a request. */
const openCodes = ['REQUEST_EXPIRED', 'WALLET_ANSWER_INVALID'] as const

/**
 * Swaps as reviewed, and remembers the swap until `forgetSwap`, also after a reload. `onStep`
 * reports the step that the wallet prompts for. Resolves when the wallet has accepted the last
 * step. Throws errors that the user can act on unchanged, and any other as SEND_FAILED with its
 * cause.
 */
export async function swap(
  app: App,
  parameters: { plan: SwapPlan; onStep?: (index: number) => void; signal?: AbortSignal },
): Promise<SwapOutcome> {
  const { plan, onStep, signal: own } = parameters
  const signal = own ? anySignal([app.signal, own]) : app.signal
  try {
    assertCurrent(app, plan)
  } catch (cause) {
    throw toSendError(cause)
  }
  const sent = saveSwap(app, plan)
  clearSwapDraft(app)
  try {
    const outcome = await plan.execute(signal, onStep)
    saveOutcome(app, sent, outcome)
    return outcome
  } catch (cause) {
    // A wallet that disappeared with the page, or whose response is missing or unreadable, may have
    // sent it.
    const isOpen = app.signal.aborted || openCodes.some((code) => isError(cause, code))
    if (!isOpen) {
      forgetSwap(app, { id: sent.askedAtMs })
      saveSwapDraft(app)
    }
    throw toSendError(cause)
  }
}
