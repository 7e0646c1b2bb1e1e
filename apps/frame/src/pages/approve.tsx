import { listenChannel } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import type { ApprovalView } from '../approval/approvalView.ts'
import { approvalLimits, approvalProtocol, approvalTopic } from '../approval/approvalView.ts'
import { en } from '../locales/en.ts'
import { parseRendezvous, type Rendezvous } from '../rendezvous/rendezvous.ts'
import { type ReceivedRequest, takeRequest } from '../rendezvous/sealedRendezvous.ts'
import { getErrorMessage } from '../screens/getErrorMessage.ts'
import { PagePanel } from './PagePanel.tsx'
import { renderPage } from './renderPage.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'
import { UnusableLink } from './UnusableLink.tsx'

type ApprovalDecision = { approved: boolean; amount?: string }
type ApprovalTask = ReceivedRequest<ApprovalView, { approved: boolean }>
type Decision = { view: ApprovalView; count: number; decide: (answer: ApprovalDecision) => void }

/** How long a window stays open if its frame does not close it. */
const closeAfterMs = 2_000

/** The window that approves if the frame cannot. It accepts only an opener from its own origin. */
function ApprovePage({ opener }: { opener: Window }) {
  const [decision, setDecision] = useState<Decision>()
  useEffect(() => {
    const { origin } = window.location
    const decide = (view: ApprovalView) =>
      new Promise<ApprovalDecision>((resolve) => {
        setDecision((last) => ({
          view,
          count: (last?.count ?? 0) + 1,
          decide: (answer) => {
            resolve(answer)
            // The frame closes this window once it has the answer, unless it is gone. Another
            // amount comes back as another request.
            if (answer.amount === undefined) setTimeout(() => window.close(), closeAfterMs)
          },
        }))
      })
    return listenChannel({
      window,
      peer: opener,
      peerOrigin: origin,
      allowedOrigin: (other) => other === origin,
      protocol: approvalProtocol,
      limits: approvalLimits,
      onConnect: () => ({ DECIDE: decide }),
    })
  }, [opener])
  if (!decision) return <Loading />
  const { view, count, decide } = decision
  return (
    <div className="window">
      <ApprovalCard
        key={count}
        view={view}
        onApprove={() => decide({ approved: true })}
        onReject={() => decide({ approved: false })}
        onEdit={(amount) => decide({ approved: false, amount })}
      />
    </div>
  )
}

/**
 * The approval window if the page has cut it off from its frame: the two communicate through the
 * server.
 */
function RendezvousPage({ rendezvous }: { rendezvous: Rendezvous }) {
  const [question, setQuestion] = useState<ApprovalTask>()
  const [text, setText] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    const show = (error: unknown) => leaving.signal.aborted || setText(getErrorMessage(error))
    takeRequest(approvalTopic, rendezvous, leaving.signal).then(setQuestion, show)
    return () => leaving.abort()
  }, [rendezvous])
  if (text)
    return (
      <PagePanel>
        <UnusableLink text={text} />
      </PagePanel>
    )
  if (!question) return <Loading />
  const { question: view, answer } = question
  const decide = (approved: boolean) =>
    answer({ approved }).then(
      () => window.close(),
      (error: unknown) => setText(getErrorMessage(error)),
    )
  return (
    <div className="window">
      <ApprovalCard
        view={view}
        onApprove={() => decide(true)}
        onReject={() => decide(false)}
        // Through the server, the frame never requests an amount.
        onEdit={() => {}}
      />
    </div>
  )
}

const Loading = () => (
  <PagePanel>
    <p className="quiet">{en.common.loading}</p>
  </PagePanel>
)

const { opener } = window
const rendezvous = parseRendezvous(takeLinkSecret(window))
renderPage(
  opener ? (
    <ApprovePage opener={opener as Window} />
  ) : rendezvous ? (
    <RendezvousPage rendezvous={rendezvous} />
  ) : (
    <PagePanel>
      <UnusableLink text={en.error.notAllowed} />
    </PagePanel>
  ),
  'window',
)
