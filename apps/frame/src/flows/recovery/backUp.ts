import { isError } from '@latchkey/wire'
import type { FrameContext } from '../../context.ts'
import { backUpTexts as t } from '../../locales/backUp.en.ts'
import { codes } from '../../locales/codes.en.ts'
import { getErrorMessage } from '../../screens/getErrorMessage.ts'
import { type SetupProps, SetupScreen } from '../../screens/SetupScreen.tsx'
import type { WorkParams } from '../../wallet/worker/messages.ts'
import type { StepUpRequest } from '../stepUp/confirmWithCode.ts'
import { stepUp, withStepUp } from '../withStepUp.ts'

type BackUpContext = Pick<FrameContext, 'keys' | 'screenQueue' | 'session'> & {
  readonly facts: Pick<FrameContext['facts'], 'projectId'>
}
type BackUpRequest = {
  readonly origin: string
  /** The user may do it later. */
  readonly mayWait?: boolean
  readonly signal: AbortSignal
}
type Factor = WorkParams<'addFactor'>['factor']

const endingCodes = ['USER_REJECTED', 'ABORTED', 'SIGNED_OUT'] as const
const abouts = {
  passkey: codes.stepUp.addPasskey,
  kit: codes.stepUp.addKit,
  operator: codes.stepUp.addOperator,
} as const

/**
 * Prompts the user to choose how to get back in without this device, and adds this way to the
 * wallet. If the wallet is not new, the server requires a confirmation. Resolves once a way is
 * added, or the user does it later. Throws USER_REJECTED if the user leaves.
 */
export async function backUp(
  context: BackUpContext,
  { origin, mayWait = false, signal }: BackUpRequest,
): Promise<void> {
  const { keys, screenQueue, session } = context
  const { projectId } = context.facts
  const email = (await session.read())?.email ?? null
  let failure = ''
  const confirmation = (kind: Factor['kind']): StepUpRequest => ({
    origin,
    action: `add ${kind}`,
    about: { text: abouts[kind] },
    signal,
  })
  await screenQueue.during(async () => {
    for (;;) {
      try {
        const factor = await screenQueue.show<SetupProps<Factor | 'later'>, Factor | 'later'>(
          {
            view: 'recovery-setup',
            title: t.title,
            load: async () => SetupScreen<Factor | 'later'>,
            props: {
              keys,
              session,
              email,
              place: { projectId, origin },
              volatile: undefined,
              texts: t,
              failure,
              save: async (chosen) => chosen,
              ...(mayWait && { later: { result: 'later' as const, label: t.later } }),
            },
          },
          signal,
        )
        if (factor === 'later') return
        await withStepUp(context, confirmation(factor.kind), () => keys.do('addFactor', { factor }))
        return
      } catch (error) {
        if (endingCodes.some((code) => isError(error, code))) throw error
        failure = isError(error, 'STEP_UP_NEEDED') ? '' : getErrorMessage(error)
        // The browser registers a passkey before it is added.
        if (failure === '') await stepUp(context, confirmation('passkey'))
      }
    }
  })
}
