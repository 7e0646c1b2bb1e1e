import { isError } from '@latchkey/wire'
import type { FrameContext } from '../../context.ts'
import { account } from '../../locales/account.en.ts'
import { codes } from '../../locales/codes.en.ts'
import { fill } from '../../locales/en.ts'
import { migration } from '../../locales/migration.en.ts'
import { getErrorMessage } from '../../screens/getErrorMessage.ts'
import type { Volatile } from '../../screens/parts/VolatileNotice.tsx'
import { type RecoverEnd, type RecoverProps, RecoverScreen } from '../../screens/RecoverScreen.tsx'
import { withStepUp } from '../withStepUp.ts'

type RecoverContext = Pick<FrameContext, 'keys' | 'screenQueue' | 'session'> & {
  readonly facts: { readonly projectId: string }
}
type RecoverRequest = {
  readonly origin: string
  /** The problem of the wallet in this browser. */
  readonly problem?: unknown
  /** The address and the realm of the wallet that succeeds the wallet in this browser. */
  readonly moved?: { readonly to: string; readonly from: string } | undefined
  /** The realm of the wallet to bring; otherwise the wallet in use. */
  readonly realm?: string | undefined
  /** Set if this browser does not keep what the frame stores. */
  readonly volatile?: Volatile | undefined
  readonly signal: AbortSignal
}

/**
 * Brings an existing wallet into this browser in the way that the user chooses. If the operator's
 * recovery has to wait, the user sees how long; choosing it again, here or after another login,
 * continues it. Throws USER_REJECTED, ABORTED, SIGNED_OUT.
 */
export const restoreWallet = (
  context: RecoverContext,
  { origin, problem, moved, realm, volatile, signal }: RecoverRequest,
): Promise<void> =>
  context.screenQueue.during(async () => {
    const { keys, screenQueue, session } = context
    let note = moved === undefined ? '' : fill(migration.moved, { address: moved.to })
    if (problem !== undefined) note = getErrorMessage(problem)
    for (;;) {
      const end = await screenQueue.show<RecoverProps, RecoverEnd>(
        {
          view: 'recover',
          title: account.recover.title,
          load: async () => RecoverScreen,
          props: { keys, session, origin, note, realm, left: moved?.from, volatile },
        },
        signal,
      )
      if (!('assisted' in end)) return
      try {
        const request = { origin, signal, realm: end.assisted }
        const answer = await recoverWithOperator(context, request)
        if ('addresses' in answer) return
        const at = new Date(Date.now() + answer.secondsLeft * 1_000)
        const when = at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
        note = fill(account.recover.waiting, { when })
      } catch (error) {
        if (endingCodes.some((code) => isError(error, code))) throw error
        note = getErrorMessage(error)
      }
    }
  })

const endingCodes = ['USER_REJECTED', 'ABORTED', 'SIGNED_OUT'] as const

/** Starts the operator's recovery, or continues a pending one. Starting one asks for a code. */
async function recoverWithOperator(
  context: RecoverContext,
  { origin, signal, realm }: RecoverRequest & { readonly realm: string },
) {
  const { keys } = context
  const about = { text: codes.stepUp.recovery }
  const ask = { origin, action: 'recovery', about, signal } as const
  const { id } = await withStepUp(context, ask, () => keys.do('startAssisted', { realm }))
  return keys.do('finishAssisted', { id, realm })
}
