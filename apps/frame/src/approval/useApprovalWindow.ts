import { LatchkeyError, openChannel, toError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { approvalWindow } from '../locales/approvalWindow.en.ts'
import { createMeeting, writeMeeting } from '../meeting/meeting.ts'
import { getThemeQuery } from '../pages/windowTheme.ts'
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
 * `unseen`: no window is known to have opened. `left`: the window was closed without a decision.
 */
export type WindowState = 'closed' | 'open' | 'unseen' | 'left' | 'working'

type Asking = Pick<ApprovalProps, 'view' | 'approve' | 'edit' | 'session'> &
  ScreenCallbacks<unknown> &
  WithPicture

/**
 * A window of our own that decides where the browser cannot vouch for visibility; call `open` in a
 * press. The press only opens that window, so it does not matter if something covers the frame. A
 * page can cut the window off from this frame (`Cross-Origin-Opener-Policy`); then the browser says
 * that none was opened, and the two meet at the server.
 */
export function useApprovalWindow({ view, approve, edit, session, picture, done, fail }: Asking): {
  state: WindowState
  open: () => Promise<void>
} {
  const [state, setState] = useState<WindowState>('closed')
  const opened = useRef<Window>(null)
  // A window that is opened again shows what was changed in the last one.
  const current = useRef(view)
  // What the last window wanted to change, until it is known what that does.
  const changing = useRef<Promise<unknown>>(Promise.resolve())
  const asking = useRef(new AbortController())
  // The decision is made in the window.
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
    // It has this very question: a second press may only not have seen it.
    if (state === 'open' && last && !last.closed) return last.focus()
    last?.close()
    asking.current.abort()
    const own = new AbortController()
    asking.current = own
    const meeting = createMeeting()
    const address = `/approve${getThemeQuery(document)}#${writeMeeting(meeting)}`
    // A name would find a window that still closes, or one of another question.
    const target = window.open(address, '_blank', features)
    opened.current = target
    setState(target ? 'open' : 'unseen')
    try {
      const refusal = target
        ? await askWindow(target, { current, changing, change, picture })
        : await askSealed(session, { meeting, picture, current, changing, signal: own.signal })
      // The screen has ended, or asks in another window.
      if (own.signal.aborted) return
      if (refusal) {
        setState('closed')
        return fail(refusal)
      }
    } catch {
      // The window closed without an answer, or what came is not its answer: nothing is approved.
      if (!own.signal.aborted) setState('left')
      return
    }
    setState('working')
    approve().then(done, (error: unknown) => fail(toError(error)))
  }
  return { state, open }
}

/** What there is to know about the window; empty where there is nothing. */
export function describeWindow(state: WindowState): string {
  if (state === 'unseen') return approvalWindow.unseen
  if (state === 'open') return approvalWindow.waiting
  return state === 'left' ? approvalWindow.left : ''
}

/**
 * What there is to approve. A window waits for `changing`: it never shows less than what its
 * approval would execute.
 */
type Shown = WithPicture & {
  readonly current: { current: ApprovalView }
  readonly changing: { readonly current: Promise<unknown> }
}

export const rejected = () => new LatchkeyError('USER_REJECTED')

/**
 * Why a window has not approved: it rejected, or what it wanted to change could not be; what was
 * changed is shown there again.
 */
async function askWindow(
  target: Window,
  { current, changing, change, picture }: Shown & { change: (amount: string) => Promise<void> },
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
  // Not by itself: what a window says just before it closes may be lost.
  target.close()
  return failure ?? (decision.approved ? undefined : rejected())
}

/** The same of a window that the page has cut off. */
async function askSealed(
  session: ApprovalProps['session'],
  {
    meeting,
    picture,
    current,
    changing,
    signal,
  }: Shown & { meeting: ReturnType<typeof createMeeting>; signal: AbortSignal },
): Promise<LatchkeyError | undefined> {
  const { askThroughServer } = await import('../meeting/sealedMeeting.ts')
  await changing.current
  // Another amount would be another question.
  const question = { ...current.current, picture, editable: undefined }
  const asking = { meeting, question, signal }
  const { approved } = await askThroughServer(session, approvalTopic, asking)
  return approved ? undefined : rejected()
}
