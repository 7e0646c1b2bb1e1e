import { LatchkeyError, openChannel, toError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { approvalWindow } from '../locales/approvalWindow.en.ts'
import { getThemeQuery } from '../pages/windowTheme.ts'
import { createRendezvous, formatRendezvous } from '../rendezvous/rendezvous.ts'
import type { ScreenCallbacks, WithPicture } from '../screens/screenQueue.ts'
import type { ApprovalProps } from './ApprovalScreen.tsx'
import {
  type ApprovalView,
  approvalLimits,
  approvalProtocol,
  approvalTopic,
} from './approvalView.ts'

const features = 'popup,width=420,height=700'

/**
 * `unseen`: the browser reported no open popup. `left`: the popup was closed without a decision.
 */
export type WindowState = 'closed' | 'open' | 'unseen' | 'left' | 'working'

type ApprovalWindowParameters = Pick<ApprovalProps, 'view' | 'approve' | 'edit' | 'session'> &
  ScreenCallbacks<unknown> &
  WithPicture

/**
 * Opens a popup in which the user decides, if the browser cannot guarantee visibility; call `open`
 * in a press. The press only opens the popup, so it does not matter if something covers the frame.
 * A page can cut the popup off from this frame (`Cross-Origin-Opener-Policy`). Then the browser
 * reports that no popup was opened, and the two communicate through the server.
 */
export function useApprovalWindow({
  view,
  approve,
  edit,
  session,
  picture,
  done,
  fail,
}: ApprovalWindowParameters): {
  state: WindowState
  open: () => Promise<void>
} {
  const [state, setState] = useState<WindowState>('closed')
  const opened = useRef<Window>(null)
  // If the popup is opened again, it shows the view with the changes made in the previous one.
  const current = useRef(view)
  // Pending while the effect of the last change in the popup is being computed.
  const changing = useRef<Promise<unknown>>(Promise.resolve())
  const asking = useRef(new AbortController())
  // The user decides in the popup.
  useEffect(
    () => () => {
      opened.current?.close()
      asking.current.abort()
    },
    [],
  )
  const change = async (amount: string) => {
    const changed = (async () => {
      if (edit) current.current = await edit(amount)
    })()
    changing.current = changed.catch(() => {})
    await changed
  }
  const open = async () => {
    const last = opened.current
    // The popup already shows this question: the user may just not have noticed it.
    if (state === 'open' && last && !last.closed) return last.focus()
    last?.close()
    asking.current.abort()
    const own = new AbortController()
    asking.current = own
    const rendezvous = createRendezvous()
    const address = `/approve${getThemeQuery(document)}#${formatRendezvous(rendezvous)}`
    // Unnamed, because a name could match a popup that is still closing or that shows another
    // question.
    const target = window.open(address, '_blank', features)
    opened.current = target
    setState(target ? 'open' : 'unseen')
    try {
      const refusal = target
        ? await askWindow(target, { current, changing, change, picture })
        : await askSealed(session, { rendezvous, picture, current, changing, signal: own.signal })
      // The screen has ended, or has opened another popup.
      if (own.signal.aborted) return
      if (refusal) {
        setState('closed')
        return fail(refusal)
      }
    } catch {
      // The popup closed without an answer, or the answer was invalid: nothing is approved.
      if (!own.signal.aborted) setState('left')
      return
    }
    setState('working')
    approve().then(done, (error: unknown) => fail(toError(error)))
  }
  return { state, open }
}

/** The status of the popup for the user; empty if there is nothing to report. */
export function describeWindow(state: WindowState): string {
  if (state === 'unseen') return approvalWindow.unseen
  if (state === 'open') return approvalWindow.waiting
  return state === 'left' ? approvalWindow.left : ''
}

/**
 * The view to approve. A popup waits for `changing`: it never shows less than what its approval
 * would execute.
 */
type WindowView = WithPicture & {
  readonly current: { current: ApprovalView }
  readonly changing: { readonly current: Promise<unknown> }
}

export const rejected = () => new LatchkeyError('USER_REJECTED')

/**
 * Returns why a popup has not approved: the user rejected, or a change failed. A changed view is
 * shown in the popup again.
 */
async function askWindow(
  target: Window,
  {
    current,
    changing,
    change,
    picture,
  }: WindowView & { change: (amount: string) => Promise<void> },
): Promise<LatchkeyError | undefined> {
  const { origin: targetOrigin } = window.location
  const channel = await openChannel({
    ...{ window, target, targetOrigin, protocol: approvalProtocol },
    limits: approvalLimits,
  })
  await changing.current
  const decide = () =>
    channel.request('DECIDE', { ...current.current, picture }, { timeoutMs: null })
  let decision = await decide()
  let failure: LatchkeyError | undefined
  while (decision.amount !== undefined && !failure) {
    failure = await change(decision.amount).then(() => undefined, toError)
    if (!failure) decision = await decide()
  }
  channel.close()
  // The popup does not close itself: a message that it sends just before closing may be lost.
  target.close()
  return failure ?? (decision.approved ? undefined : rejected())
}

/** Like {@link askWindow}, for a popup that the page has cut off. */
async function askSealed(
  session: ApprovalProps['session'],
  {
    rendezvous,
    picture,
    current,
    changing,
    signal,
  }: WindowView & { rendezvous: ReturnType<typeof createRendezvous>; signal: AbortSignal },
): Promise<LatchkeyError | undefined> {
  const { requestThroughServer } = await import('../rendezvous/sealedRendezvous.ts')
  await changing.current
  // Another amount would be another question.
  const question = { ...current.current, picture, editable: undefined }
  const asking = { rendezvous, question, signal }
  const { approved } = await requestThroughServer(session, approvalTopic, asking)
  return approved ? undefined : rejected()
}
