import { listenChannel } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import type { ApprovalView } from '../approval/approvalView.ts'
import { approvalProtocol } from '../approval/approvalView.ts'
import { en } from '../locales/en.ts'
import { renderPage } from './renderPage.tsx'

type Decision = { view: ApprovalView; decide: (approved: boolean) => void }

/** The window that approves where the frame cannot. It accepts only a page of our own origin that opened it. */
function ApprovePage({ opener }: { opener: Window }) {
  const [decision, setAsked] = useState<Decision>()
  useEffect(() => {
    const { origin } = window.location
    const decide = (view: ApprovalView) =>
      new Promise<{ approved: boolean }>((resolve) => {
        setAsked({
          view,
          decide: (approved) => {
            resolve({ approved })
            // After the answer has left.
            setTimeout(() => window.close(), 100)
          },
        })
      })
    return listenChannel({
      window,
      peer: opener,
      peerOrigin: origin,
      allowedOrigin: (other) => other === origin,
      protocol: approvalProtocol,
      onConnect: () => ({ DECIDE: decide }),
    })
  }, [opener])
  if (!decision) return <p className="quiet">{en.common.loading}</p>
  const { view, decide } = decision
  return <ApprovalCard view={view} onApprove={() => decide(true)} onReject={() => decide(false)} />
}

const { opener } = window
renderPage(
  opener ? <ApprovePage opener={opener as Window} /> : <p>{en.error.notAllowed}</p>,
  'window',
)
