import { isError, LatchkeyError, readMeRoute } from '@latchkey/wire'
import type { FrameContext } from '../../context.ts'
import { backUpTexts as t } from '../../locales/backUp.en.ts'
import { getErrorMessage } from '../../screens/getErrorMessage.ts'
import { type SetupProps, SetupScreen } from '../../screens/SetupScreen.tsx'
import type { WorkParams } from '../../wallet/worker/messages.ts'
import { stepUp } from '../withStepUp.ts'
import { confirmationOf } from './addWay.ts'

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
/** A way that needs a confirmation. `factor` is then added without another question. */
type Refused = { readonly kind: Factor['kind']; readonly factor?: Factor }

const endingCodes = ['USER_REJECTED', 'ABORTED', 'SIGNED_OUT'] as const
/** For how long a confirmation has to count when a kit is shown: the user writes it down. */
const writingSeconds = 120

/**
 * Prompts the user to choose how to get back in without this device, and adds this way to the
 * wallet. If the wallet is not new, the server requires a confirmation, which comes before a kit is
 * shown. Resolves once a way is added, or the user does it later. Throws USER_REJECTED if the user
 * leaves.
 */
export async function backUp(
  context: BackUpContext,
  { origin, mayWait = false, signal }: BackUpRequest,
): Promise<void> {
  const { keys, screenQueue, session } = context
  const { projectId } = context.facts
  const email = (await session.read())?.email ?? null
  let failure = ''
  // The browser registers a passkey before it is added.
  const passkeyFirst: Refused = { kind: 'passkey' }
  let refused = passkeyFirst
  let isConfirming = false
  // It may be on paper already.
  let kit: string | undefined
  const beforeKit = async () => {
    const { stepUpSeconds } = await session.call(readMeRoute, { action: 'add kit' })
    if (stepUpSeconds >= writingSeconds) return
    refused = { kind: 'kit' }
    throw new LatchkeyError('STEP_UP_NEEDED')
  }
  const add = async (factor: Factor) => {
    if (factor.kind === 'kit') kit = factor.kit
    refused = { kind: factor.kind, factor }
    await keys.do('addFactor', { factor })
  }
  const ask = () => {
    refused = passkeyFirst
    return screenQueue.show<SetupProps<'added' | 'later'>, 'added' | 'later'>(
      {
        view: 'recovery-setup',
        title: t.title,
        load: async () => SetupScreen<'added' | 'later'>,
        props: {
          keys,
          session,
          email,
          place: { projectId, origin },
          volatile: undefined,
          texts: t,
          failure,
          kit,
          beforeKit,
          save: async (factor) => {
            try {
              await add(factor)
            } catch (error) {
              if (!isError(error, 'STEP_UP_NEEDED')) refused = passkeyFirst
              throw error
            }
            return 'added'
          },
          ...(mayWait && { later: { result: 'later' as const, label: t.later } }),
        },
      },
      signal,
    )
  }
  await screenQueue.during(async () => {
    for (;;) {
      try {
        const { kind, factor } = refused
        if (!isConfirming) await ask()
        else {
          isConfirming = false
          await stepUp(context, confirmationOf(kind, { origin, signal }))
          if (factor) await add(factor)
          else {
            if (kind === 'kit') kit ??= (await keys.do('createKit', {})).kit
            await ask()
          }
        }
        return
      } catch (error) {
        if (endingCodes.some((code) => isError(error, code))) throw error
        isConfirming = isError(error, 'STEP_UP_NEEDED')
        failure = isConfirming ? '' : getErrorMessage(error)
      }
    }
  })
}
