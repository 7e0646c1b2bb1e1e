import type { FrameContext } from '../../context.ts'
import { codes } from '../../locales/codes.en.ts'
import type { WorkParams } from '../../wallet/worker/messages.ts'
import type { StepUpContext, StepUpRequest } from '../stepUp/confirmWithCode.ts'
import { withStepUp } from '../withStepUp.ts'

type Factor = WorkParams<'addFactor'>['factor']
type Origin = { readonly origin: string; readonly signal: AbortSignal }

const abouts = {
  passkey: codes.stepUp.addPasskey,
  kit: codes.stepUp.addKit,
  operator: codes.stepUp.addOperator,
} as const

/** The confirmation that adding a way of recovery may need. */
export const confirmationOf = (kind: Factor['kind'], from: Origin): StepUpRequest => ({
  ...from,
  action: `add ${kind}`,
  about: { text: abouts[kind] },
})

/** Adds a way of recovery to the wallet, after a confirmation if the server requires one. */
export const addWay = (
  context: StepUpContext & Pick<FrameContext, 'keys'>,
  { factor, ...from }: Origin & { readonly factor: Factor },
): Promise<unknown> =>
  withStepUp(context, confirmationOf(factor.kind, from), () =>
    context.keys.do('addFactor', { factor }),
  )
