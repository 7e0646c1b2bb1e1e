import { isError, readSocials } from '@latchkey/wire'
import { useCallback, useEffect, useState } from 'react'
import { openLoginSession } from '../auth/openLoginSession.ts'
import { ensureWallet } from '../flows/ensureWallet.ts'
import { account } from '../locales/account.en.ts'
import { en, fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { openKeys } from '../openKeys.ts'
import { EnrollmentRequest } from '../screens/EnrollmentRequest.tsx'
import { GuardedButton } from '../screens/parts/GuardedButton.tsx'
import { useWaitingDevices } from '../screens/parts/useWaitingDevices.ts'
import { useWork } from '../screens/parts/useWork.ts'
import { CurrentScreen } from '../screens/renderScreens.tsx'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { renderPage } from './renderPage.tsx'
import { type PageContext, SignInHere } from './SignInHere.tsx'
import { takeLinkSecret } from './takeLinkSecret.ts'
import { UnusableLink } from './UnusableLink.tsx'

const t = pages.wallet

/**
 * Signs in on this page, and makes the wallet or brings it here, because the browser keeps nothing
 * for the frame in the other page.
 */
function WalletPage({ own }: { own: PageContext }) {
  const { session, screenQueue, store } = own
  const [phase, setPhase] = useState<'sign-in' | 'start' | 'busy' | 'kept'>()
  const { busy, problem, run } = useWork()
  useEffect(() => {
    void session.read().then((found) => setPhase(found ? 'start' : 'sign-in'))
  }, [session])
  const onSignedIn = useCallback(() => setPhase('start'), [])
  const prepare = () =>
    run(async () => {
      setPhase('busy')
      try {
        const { origin } = window.location
        await ensureWallet(own, { origin, signal: new AbortController().signal })
        setPhase('kept')
      } catch (error) {
        setPhase(isError(error, 'SIGNED_OUT') ? 'sign-in' : 'start')
        throw error
      }
    })
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      {!store.durable && (
        <p className="notice" data-level="caution">
          {t.volatile}
        </p>
      )}
      {phase === 'sign-in' && (
        <SignInHere own={own} title={t.title} text={t.signIn} onSignedIn={onSignedIn} />
      )}
      {phase === 'start' && (
        <>
          <p className="lead">{t.lead}</p>
          <GuardedButton busy={busy} onPress={prepare}>
            {en.common.continue}
          </GuardedButton>
        </>
      )}
      {phase === 'kept' && <Kept own={own} />}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <CurrentScreen screenQueue={screenQueue} measure={() => {}} />
    </div>
  )
}

/**
 * Shows that this browser keeps the wallet, and lists the requests of other browsers, including the
 * frame's request in the other page.
 */
function Kept({ own: { session, keys } }: { own: PageContext }) {
  const { asks, failure, load } = useWaitingDevices(session)
  const asker = { session, origin: window.location.origin, picture: undefined }
  return (
    <>
      <p className="lead" role="status">
        {fill(t.kept, { way: account.recover.device })}
      </p>
      {asks.map((ask) => (
        <EnrollmentRequest key={ask.askId} {...{ ask, asker, keys }} onOver={load} />
      ))}
      {failure && (
        <p className="line" role="status" data-level="danger">
          {failure}
        </p>
      )}
    </>
  )
}

/** The fragment holds the project and the providers of social login, which the server checks. */
async function start(): Promise<void> {
  const [projectId = '', ...names] = takeLinkSecret(window).split(',')
  if (window.top !== window) return renderPage(null)
  if (projectId === '') return renderPage(<UnusableLink text={pages.export.incomplete} />)
  const { session, store } = await openLoginSession()
  const keys = openKeys(session)
  const facts = { projectId, socials: readSocials(names) }
  renderPage(<WalletPage own={{ session, store, keys, screenQueue: createScreenQueue(), facts }} />)
}

void start()
