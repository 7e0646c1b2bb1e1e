import { LatchkeyError, openChannel, toError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { approvals } from '../locales/approvals.en.ts'
import { approvalWindow } from '../locales/approvalWindow.en.ts'
import { createMeeting, writeMeeting } from '../meeting/meeting.ts'
import { getThemeQuery } from '../pages/windowTheme.ts'
import { Button } from '../screens/parts/Button.tsx'
import type { ScreenCallbacks, WithPicture } from '../screens/screenQueue.ts'
import type { ApprovalProps } from './ApprovalScreen.tsx'
import { type ApprovalView, approvalProtocol, approvalTopic } from './approvalView.ts'

const t = approvals.approve
const features = 'popup,width=420,height=700'

/** `left`: the window was closed without a decision. */
type State = 'closed' | 'open' | 'unseen' | 'left' | 'working'

/**
 * Opens a window of our own where the browser cannot vouch for visibility. The button only opens that window, so it
 * does not matter if something covers it. A page can cut the window off from this frame (`Cross-Origin-Opener-Policy`); then the browser
 * says that none was opened, and the two meet at the server.
 */
export function ApprovalWindowScreen({
  view,
  approve,
  edit,
  session,
  picture,
  done,
  fail,
}: ApprovalProps & ScreenCallbacks<unknown> & WithPicture) {
  const [state, setState] = useState<State>('closed')
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
    asking.current.abort()
    const own = new AbortController()
    asking.current = own
    const meeting = createMeeting()
    const address = `/approve${getThemeQuery(document)}#${writeMeeting(meeting)}`
    const target = window.open(address, 'latchkey-approve', features)
    opened.current = target
    setState(target ? 'open' : 'unseen')
    try {
      const refusal = target
        ? await askWindow(target, { current, changing, change, picture })
        : await askSealed(session, { meeting, picture, current, changing, signal: own.signal })
      if (refusal) return fail(refusal)
    } catch {
      // The window closed without an answer, or what came is not its answer: nothing is approved.
      if (!own.signal.aborted) setState('left')
      return
    }
    setState('working')
    approve().then(done, (error: unknown) => fail(toError(error)))
  }
  return (
    <div className="stack">
      <p className="origin">{view.origin.replace(/^https:\/\//, '')}</p>
      <p className="lead">{approvalWindow.lead}</p>
      <Button busy={state === 'working'} onClick={open}>
        {state === 'working' ? t.working : approvalWindow.open}
      </Button>
      <p className="line" role="status">
        {describe(state, view)}
      </p>
      <Button kind="quiet" disabled={state === 'working'} onClick={() => fail(rejected())}>
        {t.reject}
      </Button>
    </div>
  )
}

/** What there is to know; why a request that was approved is asked again is said before its window opens. */
function describe(state: State, { warnings }: ApprovalView): string {
  if (state === 'unseen') return approvalWindow.unseen
  if (state === 'open') return approvalWindow.waiting
  if (state === 'left') return approvalWindow.left
  const { changed } = approvals.warn
  return state === 'closed' && warnings.some(({ text }) => text === changed) ? changed : ''
}

/** What there is to approve. A window waits for `changing`: it never shows less than what its approval would execute. */
type Shown = WithPicture & {
  readonly current: { current: ApprovalView }
  readonly changing: { readonly current: Promise<unknown> }
}

const rejected = () => new LatchkeyError('USER_REJECTED')

/** Why a window has not approved: it rejected, or what it wanted to change could not be; what was changed is shown there again. */
async function askWindow(
  target: Window,
  { current, changing, change, picture }: Shown & { change: (amount: string) => Promise<void> },
): Promise<LatchkeyError | undefined> {
  const { origin: targetOrigin } = window.location
  const channel = await openChannel({ window, target, targetOrigin, protocol: approvalProtocol })
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
