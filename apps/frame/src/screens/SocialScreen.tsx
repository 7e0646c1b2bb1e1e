import { LatchkeyError, providerNames, type SocialProvider, type Tokens } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { fill } from '../locales/en.ts'
import { social } from '../locales/social.en.ts'
import type { SocialLogin } from '../social/socialLogin.ts'
import { Button } from './parts/Button.tsx'
import { GatedButton } from './parts/GatedButton.tsx'
import { useWork } from './parts/useWork.ts'
import type { ScreenCallbacks } from './screenQueue.ts'

const features = 'popup,width=480,height=720'

export type SocialProps = {
  /** What the sign-in is for. */
  readonly text: string
  readonly providers: readonly SocialProvider[]
  readonly start: (provider: SocialProvider) => Promise<SocialLogin>
}

/** Sends the user to a provider in a window of its own, which the click opens. */
export function SocialScreen({
  text,
  providers,
  start,
  done,
}: SocialProps & ScreenCallbacks<Tokens>) {
  const { busy, problem, setProblem, run } = useWork()
  const [isBlocked, setIsBlocked] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const visit = (provider: SocialProvider) => {
    leaving.current.abort()
    leaving.current = new AbortController()
    const { signal } = leaving.current
    // Before anything is awaited: a browser opens a window in the click alone.
    const opened = window.open('about:blank', 'latchkey-confirm', features)
    setIsBlocked(!opened)
    if (!opened) return
    void run(async () => {
      try {
        const login = await start(provider)
        if (signal.aborted) throw new LatchkeyError('ABORTED')
        opened.location.replace(login.uri)
        const result = await login.wait(signal)
        // Farcaster's page does not close by itself.
        opened.close()
        if ('tokens' in result) return done(result.tokens)
        setProblem(social.refused[result.refused])
      } catch (error) {
        opened.close()
        throw error
      }
    })
  }
  return (
    <div className="stack">
      <p className="lead">{text}</p>
      {providers.map((provider) => (
        <GatedButton key={provider} disabled={busy} onPress={() => visit(provider)}>
          {fill(social.continue, { provider: providerNames[provider] })}
        </GatedButton>
      ))}
      <p className="line" role="status" data-level={problem || isBlocked ? 'danger' : undefined}>
        {isBlocked ? social.blocked : problem || (busy ? social.waiting : '')}
      </p>
      {busy && (
        <Button kind="quiet" onClick={() => leaving.current.abort()}>
          {social.again}
        </Button>
      )}
    </div>
  )
}
