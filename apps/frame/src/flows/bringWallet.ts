import { isError, type WalletAddresses } from '@latchkey/wire'
import type { Parts } from '../handlers/createHandlers.ts'
import { account } from '../locales/account.en.ts'
import { codes } from '../locales/codes.en.ts'
import { fill } from '../locales/en.ts'
import { say } from '../screens/errorMessage.ts'
import { type RecoverEnd, type RecoverProps, RecoverScreen } from '../screens/RecoverScreen.tsx'
import { withStepUp } from './withStepUp.ts'

type Needed = Pick<Parts, 'keys' | 'stage' | 'session'> & {
  readonly facts: { readonly projectId: string }
}
type Asked = {
  readonly origin: string
  /** What is wrong with the wallet that is here. */
  readonly problem?: unknown
  readonly signal: AbortSignal
}

/**
 * Brings an existing wallet into this browser by the way that the person chooses. What the operator's help has to wait for is
 * said, and goes on when it is chosen again, here or after another login. Throws USER_REJECTED, ABORTED, SIGNED_OUT.
 */
export const bringWallet = (
  parts: Needed,
  { origin, problem, signal }: Asked,
): Promise<WalletAddresses> =>
  parts.stage.during(async () => {
    const { keys, stage, session } = parts
    let note = problem === undefined ? '' : say(problem)
    for (;;) {
      const end = await stage.show<RecoverProps, RecoverEnd>(
        {
          view: 'recover',
          title: account.recover.title,
          load: async () => RecoverScreen,
          props: { keys, session, note },
        },
        signal,
      )
      if (end !== 'assisted') return end
      try {
        const answer = await assisted(parts, { origin, signal })
        if ('addresses' in answer) return answer.addresses
        const at = new Date(Date.now() + answer.secondsLeft * 1_000)
        const when = at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
        note = fill(account.recover.waiting, { when })
      } catch (error) {
        if (leaves.some((code) => isError(error, code))) throw error
        note = say(error)
      }
    }
  })

const leaves = ['USER_REJECTED', 'ABORTED', 'SIGNED_OUT'] as const

/** Begins the operator's recovery, or goes on with the one under way; a code is asked for where it begins. */
async function assisted(parts: Needed, { origin, signal }: Asked) {
  const { keys } = parts
  const about = { text: codes.stepUp.recovery }
  const ask = { origin, action: 'recovery', about, signal } as const
  const { id } = await withStepUp(parts, ask, () => keys.do('startAssisted', {}))
  return keys.do('finishAssisted', { id })
}
