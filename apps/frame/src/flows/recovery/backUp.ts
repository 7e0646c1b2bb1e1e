import { isError, LatchkeyError, readMeRoute, type StepUpAction } from '@latchkey/wire'
import type { FrameContext } from '../../context.ts'
import { backUpTexts as t } from '../../locales/backUp.en.ts'
import { codes } from '../../locales/codes.en.ts'
import type { CodeScreenPurpose } from '../../screens/CodeScreen.tsx'
import { getErrorMessage } from '../../screens/getErrorMessage.ts'
import { type SetupProps, SetupScreen } from '../../screens/SetupScreen.tsx'
import type { WorkParams } from '../../wallet/worker/messages.ts'
import { offerFirstPasskey } from '../makePasskey.ts'
import type { StepUpRequest } from '../stepUp/confirmWithCode.ts'
import { stepUp, withStepUp } from '../withStepUp.ts'

type BackUpContext = Pick<FrameContext, 'keys' | 'screenQueue' | 'session'> & {
  readonly facts: Pick<FrameContext['facts'], 'projectId'>
}
type BackUpRequest = {
  readonly origin: string
  /** The user may do it later. */
  readonly mayWait?: boolean
  /** The way that the user has chosen before, and may have on paper: it needs no question. */
  readonly factor?: Factor
  /** The user has chosen a kit, and can go back to the page that offered it. */
  readonly paper?: Paper
  readonly signal: AbortSignal
}
type Factor = WorkParams<'addFactor'>['factor']
/** A kit to show: its title, a notice above it, its confirmation, and what uses it. */
export type Paper = {
  readonly title: string
  readonly note?: string
  readonly code: { readonly action: StepUpAction; readonly about: CodeScreenPurpose }
  readonly use: (kit: Factor) => Promise<unknown>
}
/** A way that needs a confirmation. `factor` is then added without another question. */
type Refused = { readonly kind: Factor['kind']; readonly factor?: Factor }

const abouts = {
  passkey: codes.stepUp.addPasskey,
  kit: codes.stepUp.addKit,
  operator: codes.stepUp.addOperator,
} as const
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
  { origin, mayWait = false, factor: chosen, paper, signal }: BackUpRequest,
): Promise<void> {
  const { keys, screenQueue, session } = context
  const { projectId } = context.facts
  const email = (await session.read())?.email ?? null
  const where = { origin, signal }
  const confirmation = (kind: Factor['kind']): StepUpRequest =>
    paper
      ? { ...paper.code, ...where }
      : { ...where, action: `add ${kind}`, about: { text: abouts[kind] } }
  const kitAction = paper?.code.action ?? 'add kit'
  const use = paper?.use ?? ((factor: Factor) => keys.do('addFactor', { factor }))
  let failure = ''
  // The browser registers a passkey before it is added.
  const passkeyFirst: Refused = { kind: 'passkey' }
  let refused = passkeyFirst
  let isConfirming = false
  let isAsking = false
  // It may be on paper already.
  let kit: string | undefined
  const beforeKit = async () => {
    const { stepUpSeconds } = await session.call(readMeRoute, { action: kitAction })
    if (stepUpSeconds >= writingSeconds) return
    refused = { kind: 'kit' }
    throw new LatchkeyError('STEP_UP_NEEDED')
  }
  const add = async (factor: Factor) => {
    if (factor.kind === 'kit') kit = factor.kit
    refused = { kind: factor.kind, factor }
    await use(factor)
  }
  const ask = async () => {
    refused = passkeyFirst
    isAsking = true
    const firstPasskey = paper ? undefined : await offerFirstPasskey(session)
    return screenQueue.show<SetupProps<'added' | 'later'>, 'added' | 'later'>(
      {
        view: 'recovery-setup',
        title: paper?.title ?? t.title,
        load: async () => SetupScreen<'added' | 'later'>,
        props: {
          keys,
          session,
          email,
          place: { projectId, origin },
          volatile: undefined,
          texts: t,
          failure,
          firstPasskey,
          kit,
          note: paper?.note,
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
  let first = chosen
  await screenQueue.during(async () => {
    if (paper) {
      // Nothing is on paper yet, so the page that offered the kit shows the error.
      await withStepUp(context, confirmation('kit'), beforeKit)
      kit = (await keys.do('createKit', {})).kit
    }
    for (;;) {
      try {
        const { kind, factor } = refused
        isAsking = false
        if (first) {
          const next = first
          first = undefined
          await add(next)
        } else if (!isConfirming) await ask()
        else {
          isConfirming = false
          await stepUp(context, confirmation(kind))
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
        // A screen that did not open would not open the next time either.
        if (isAsking && !isConfirming) throw error
        failure = isConfirming ? '' : getErrorMessage(error)
      }
    }
  })
}
