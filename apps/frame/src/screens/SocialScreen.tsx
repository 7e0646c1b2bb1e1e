import { type LoginTokens, providerNames, type SocialProvider } from '@latchkey/wire'
import { useCallback, useEffect, useRef, useState } from 'react'
import { fill } from '../locales/en.ts'
import { social } from '../locales/social.en.ts'
import { getThemeQuery } from '../pages/windowTheme.ts'
import { createRendezvous, formatRendezvous, type Rendezvous } from '../rendezvous/rendezvous.ts'
import type { SocialResult } from '../social/socialLogin.ts'
import { Button } from './parts/Button.tsx'
import { GuardedButton } from './parts/GuardedButton.tsx'
import { useLimitedWork } from './parts/useLimitedWork.ts'
import type { ScreenCallbacks } from './screenQueue.ts'

const features = 'popup,width=480,height=720'

type Visiting = {
  readonly rendezvous: Rendezvous
  readonly signal: AbortSignal
  /** Called when the popup has joined the rendezvous. */
  readonly onMeet: () => void
}

export type SocialProps = {
  /** The purpose of the sign-in. */
  readonly text: string
  readonly providers: readonly SocialProvider[]
  /** Waits for a sign-in in the popup of a rendezvous. */
  readonly visit: (provider: SocialProvider, visiting: Visiting) => Promise<SocialResult>
}

/**
 * `unseen`: the browser reports that no popup has opened. It also reports this for a popup that the
 * page cuts off.
 */
type State = 'closed' | 'open' | 'unseen'

/**
 * Sends the user to a provider in a popup, which the click opens. The frame and the popup
 * communicate through the server, because a page can cut them off from each other.
 */
export function SocialScreen({
  text,
  providers,
  visit,
  done,
}: SocialProps & ScreenCallbacks<LoginTokens>) {
  const { busy, problem, isLimited, setProblem, run } = useLimitedWork()
  const [state, setState] = useState<State>('closed')
  const leaving = useRef(new AbortController())
  const opened = useRef<Window>(null)
  const leave = useCallback(() => {
    leaving.current.abort()
    opened.current?.close()
  }, [])
  useEffect(() => leave, [leave])
  const open = (provider: SocialProvider) => {
    leave()
    leaving.current = new AbortController()
    const { signal } = leaving.current
    const rendezvous = createRendezvous()
    // Before any await: a browser opens a popup only within the click.
    const address = `/visit${getThemeQuery(document)}#${formatRendezvous(rendezvous)}`
    const target = window.open(address, '_blank', features)
    setState(target ? 'open' : 'unseen')
    // On our own page, as opposed to a frame in another page, the popup is cut off before it goes
    // to a provider, and closes by itself.
    opened.current = window.top === window && provider !== 'farcaster' ? null : target
    void run(async () => {
      try {
        const result = await visit(provider, { rendezvous, signal, onMeet: () => setState('open') })
        if ('tokens' in result) return done(result.tokens)
        setProblem(social.refused[result.refused])
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        // Farcaster's page does not close by itself.
        leave()
      }
    })
  }
  const status = state === 'unseen' ? social.unseen : social.waiting
  return (
    <div className="stack">
      <p className="lead">{text}</p>
      {providers.map((provider) => (
        <GuardedButton key={provider} disabled={busy || isLimited} onPress={() => open(provider)}>
          {fill(social.continue, { provider: providerNames[provider] })}
        </GuardedButton>
      ))}
      <p className="line" role="status" data-level={problem ? 'danger' : undefined}>
        {problem || (busy ? status : '')}
      </p>
      {busy && (
        <Button kind="quiet" onClick={leave}>
          {social.again}
        </Button>
      )}
    </div>
  )
}
