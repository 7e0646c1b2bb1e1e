import { type ApprovalProps, ApprovalScreen } from '../approval/ApprovalScreen.tsx'
import { ApprovalWindowScreen } from '../approval/ApprovalWindowScreen.tsx'
import type { ApprovalView } from '../approval/approvalView.ts'
import { canVerifyVisibility } from '../approval/createVisibilityGuard.ts'
import type { FrameContext } from '../context.ts'
import { codes } from '../locales/codes.en.ts'

const t = codes.change
const height = 560

type Change = {
  /** Null for the first address of an account. */
  readonly from: string | null
  /** The address that the server will write to: see `parseEmail`. */
  readonly to: string
  readonly origin: string
  readonly signal: AbortSignal
}

/**
 * Asks the user to confirm the new address with the same safeguards as an approval: with a hold,
 * fully visible, and in our own popup if the browser cannot vouch for visibility. Throws
 * USER_REJECTED, ABORTED.
 */
export function confirmEmailChange(
  { window, session, screenQueue }: Pick<FrameContext, 'window' | 'session' | 'screenQueue'>,
  { from, to, origin, signal }: Change,
): Promise<unknown> {
  const isFirst = from === null
  const title = isFirst ? t.addTitle : t.consentTitle
  const view: ApprovalView = {
    title,
    action: isFirst ? t.addAction : t.action,
    origin,
    groups: [{ label: isFirst ? t.add : t.change, rows: [{ label: t.to, text: to }] }],
    rows: isFirst ? [] : [{ label: t.from, text: from }],
    place: [],
    warnings: [
      ...(/[^ -~]/.test(to) ? [{ level: 'danger', text: t.letters } as const] : []),
      ...(/[@.]xn--/.test(to) ? [{ level: 'danger', text: t.encoded } as const] : []),
      { level: 'caution', text: isFirst ? t.addWhat : t.what },
    ],
  }
  const proven = canVerifyVisibility(window as Window & typeof globalThis)
  return screenQueue.show<ApprovalProps, unknown>(
    {
      view: 'approve',
      title,
      load: async () => (proven ? ApprovalScreen : ApprovalWindowScreen),
      props: { view, session, approve: async () => undefined },
      height,
    },
    signal,
  )
}
