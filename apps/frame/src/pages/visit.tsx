import { providerNames } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { fill } from '../locales/en.ts'
import { social } from '../locales/social.en.ts'
import { parseRendezvous, type Rendezvous } from '../rendezvous/rendezvous.ts'
import { getErrorMessage } from '../screens/getErrorMessage.ts'
import { type Destination, enterProviderPopup } from '../social/providerPopup.ts'
import { takeReturn } from '../social/windowReturn.ts'
import { renderPage } from './renderPage.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'
import { WindowEnd } from './WindowEnd.tsx'

const t = social.window
const headings = { login: t.to, 'step-up': t.confirmingOn, link: t.addingOn } as const
/** How long a window waits for the frame that has opened it. */
const meetTimeoutMs = 20_000

/**
 * The window in which a signed-in user confirms, or adds, a sign-in at a provider. The server
 * serves this page only to windows that a page of our origin opened in this browser. The frame that
 * opened it sends the destination, sealed.
 */
function VisitPage({ rendezvous }: { rendezvous: Rendezvous }) {
  const [login, setLogin] = useState<Destination['login']>()
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    const lost = setTimeout(() => {
      leaving.abort()
      setFailure(t.lost)
    }, meetTimeoutMs)
    enterProviderPopup(rendezvous, leaving.signal).then(
      (found) => {
        clearTimeout(lost)
        if (leaving.signal.aborted) return
        setLogin(found.login)
        // An opened page could navigate its opener elsewhere, but not a frame inside a page.
        // Farcaster's window can only be closed by its opener.
        if (found.login && window.opener?.top === window.opener) window.opener = null
        window.location.replace(found.address)
      },
      (error: unknown) => leaving.signal.aborted || setFailure(getErrorMessage(error)),
    )
    return () => {
      clearTimeout(lost)
      leaving.abort()
    }
  }, [rendezvous])
  if (failure) return <WindowEnd text={failure} />
  return (
    <div className="stack">
      {login && (
        <h1>
          {headings[login.purpose]} <bdi>{login.origin.replace(/^https?:\/\//, '')}</bdi>
        </h1>
      )}
      <p className="lead" role="status">
        {login ? fill(t.with, { provider: providerNames[login.provider] }) : t.working}
      </p>
      <div className="progress" />
    </div>
  )
}

const rendezvous = parseRendezvous(takeLinkSecret(window))
// A return that an earlier login has stored here does not belong to this login.
takeReturn(window.sessionStorage)
renderPage(rendezvous ? <VisitPage rendezvous={rendezvous} /> : <WindowEnd text={t.ended} />)
