import { type ApprovalProps, ApprovalScreen } from '../approval/ApprovalScreen.tsx'
import { ApprovalDoor } from '../approval/ApprovalWindowScreen.tsx'
import type { ApprovalView } from '../approval/approvalView.ts'
import { canProveVisible } from '../approval/createGate.ts'
import type { Parts } from '../handlers/createHandlers.ts'
import { codes } from '../locales/codes.en.ts'

const t = codes.change
const height = 560

type Change = {
  readonly from: string
  /** As the server will write to it: see `readEmail`. */
  readonly to: string
  readonly origin: string
  readonly signal: AbortSignal
}

/**
 * Asks whether the address shall become another one, as an approval: held down, in full sight, and in a window of our own where
 * the browser cannot vouch for that. Throws USER_REJECTED, ABORTED.
 */
export function confirmEmailChange(
  { window, stage }: Pick<Parts, 'window' | 'stage'>,
  { from, to, origin, signal }: Change,
): Promise<unknown> {
  const view: ApprovalView = {
    title: t.consentTitle,
    action: t.action,
    origin,
    groups: [{ label: t.change, rows: [{ label: t.to, text: to }] }],
    rows: [{ label: t.from, text: from }],
    place: [],
    warnings: [
      ...(/[@.]xn--/.test(to) ? [{ level: 'danger', text: t.encoded } as const] : []),
      { level: 'caution', text: t.what },
    ],
  }
  const proven = canProveVisible(window as Window & typeof globalThis)
  return stage.show<ApprovalProps, unknown>(
    {
      view: 'approve',
      title: t.consentTitle,
      load: async () => (proven ? ApprovalScreen : ApprovalDoor),
      props: { view, approve: async () => undefined },
      height,
    },
    signal,
  )
}
