import { LatchkeyError, openChannel, toError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { approvals } from '../locales/approvals.en.ts'
import { getThemeQuery } from '../pages/windowTheme.ts'
import { Button } from '../screens/Button.tsx'
import type { ScreenCallbacks } from '../screens/screenQueue.ts'
import type { ApprovalProps } from './ApprovalScreen.tsx'
import { type ApprovalView, approvalProtocol } from './approvalView.ts'

const t = approvals.approve
const features = 'popup,width=420,height=700'

/**
 * Opens a window of our own where the browser cannot vouch for visibility. The button only opens that window, so it
 * does not matter if something covers it.
 */
export function ApprovalWindowScreen({
  view,
  approve,
  edit,
  done,
  fail,
}: ApprovalProps & ScreenCallbacks<unknown>) {
  const [state, setState] = useState<'closed' | 'open' | 'blocked' | 'working'>('closed')
  const opened = useRef<Window>(null)
  // A window that is opened again shows what was changed in the last one.
  const current = useRef(view)
  // The decision is made in the window.
  useEffect(() => () => opened.current?.close(), [])
  const open = async () => {
    const target = window.open(`/approve${getThemeQuery(document)}`, 'latchkey-approve', features)
    if (!target) return setState('blocked')
    opened.current = target
    setState('open')
    try {
      const { origin } = window.location
      const channel = await openChannel({
        window,
        target,
        targetOrigin: origin,
        protocol: approvalProtocol,
      })
      const decide = (shown: ApprovalView) => channel.request('DECIDE', shown, { timeoutMs: null })
      let decision = await decide(current.current)
      while (decision.amount !== undefined && edit) {
        current.current = await edit(decision.amount)
        decision = await decide(current.current)
      }
      channel.close()
      if (!decision.approved) return fail(new LatchkeyError('USER_REJECTED'))
    } catch {
      // The window closed without an answer, so nothing is approved.
      return setState('closed')
    }
    setState('working')
    approve().then(done, (error: unknown) => fail(toError(error)))
  }
  return (
    <div className="stack">
      <p className="origin">{view.origin.replace(/^https:\/\//, '')}</p>
      <p className="lead">{t.popupLead}</p>
      <Button busy={state === 'working'} onClick={open}>
        {state === 'working' ? t.working : t.popupOpen}
      </Button>
      <p className="line" role="status">
        {state === 'blocked' ? t.popupBlocked : state === 'open' ? t.popupWaiting : ''}
      </p>
      <Button
        kind="quiet"
        disabled={state === 'working'}
        onClick={() => fail(new LatchkeyError('USER_REJECTED'))}
      >
        {t.reject}
      </Button>
    </div>
  )
}
