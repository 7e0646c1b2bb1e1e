import { listenChannel } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import type { ApprovalView } from '../approval/approvalView.ts'
import { approvalProtocol } from '../approval/approvalView.ts'
import { en } from '../locales/en.ts'
import { renderPage } from './renderPage.tsx'

type Answer = { approved: boolean; amount?: string }
type Decision = { view: ApprovalView; count: number; decide: (answer: Answer) => void }

/** The window that approves where the frame cannot. It accepts only a page of our own origin that opened it. */
function ApprovePage({ opener }: { opener: Window }) {
  const [decision, setDecision] = useState<Decision>()
  useEffect(() => {
    const { origin } = window.location
    const decide = (view: ApprovalView) =>
      new Promise<Answer>((resolve) => {
        setDecision((last) => ({
          view,
          count: (last?.count ?? 0) + 1,
          decide: (answer) => {
            resolve(answer)
            // After the answer has left. Another amount comes back as another request.
            if (answer.amount === undefined) setTimeout(() => window.close(), 100)
          },
        }))
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
  const { view, count, decide } = decision
  return (
    <ApprovalCard
      key={count}
      view={view}
      onApprove={() => decide({ approved: true })}
      onReject={() => decide({ approved: false })}
      onEdit={(amount) => decide({ approved: false, amount })}
    />
  )
}

const { opener } = window
renderPage(
  opener ? <ApprovePage opener={opener as Window} /> : <p>{en.error.notAllowed}</p>,
  'window',
)
