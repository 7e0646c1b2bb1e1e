import { listenChannel } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import { approvalProtocol } from '../approval/approvalProtocol.ts'
import type { ApprovalView } from '../approval/approvalView.ts'
import { en } from '../locales/en.ts'
import { drawPage } from './renderPage.tsx'

type Asked = { view: ApprovalView; decide: (approved: boolean) => void }

/** The window that approves where the frame cannot: only a page of our own origin that opened it is heard. */
function ApprovePage({ opener }: { opener: Window }) {
  const [asked, setAsked] = useState<Asked>()
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
  if (!asked) return <p className="quiet">{en.common.loading}</p>
  const { view, decide } = asked
  return <ApprovalCard view={view} onApprove={() => decide(true)} onReject={() => decide(false)} />
}

const { opener } = window
drawPage(
  opener ? <ApprovePage opener={opener as Window} /> : <p>{en.error.notAllowed}</p>,
  'window',
)
