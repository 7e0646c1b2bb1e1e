import { goBack, loginSocial, openSocialWindow } from '@latchkey/core'
import { isError, providerNames } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useLoginT } from '../../locales/useLoginT.ts'
import { Button } from '../../parts/Button.tsx'
import { Waiting } from '../../parts/Waiting.tsx'
import { useAttempt } from '../connect/useAttempt.ts'
import type { ViewProps } from '../viewProps.ts'
import { SocialMark } from './SocialMark.tsx'

/** Milliseconds after which a person who has not come back sees how to start again. */
const SLOW_AFTER_MS = 60_000
/** Milliseconds that the window must be closed: it closes by itself a moment before the login is finished. */
const CLOSED_MS = 3_000
const LOOK_EVERY_MS = 500
/** Apps that show pages in a view of their own, where some providers refuse to sign in. */
const webView = /; wv\)|FBA[NV]\/|Instagram|\bLine\//

/** Waits for the sign-in in the provider's window. A window that looks closed may only be out of reach, so the wait goes on. */
export function ConnectingSocial({ view }: ViewProps<'ConnectingSocial'>) {
  const app = useApp()
  const t = useLoginT()
  const { provider } = view
  const name = providerNames[provider]
  const isClosed = useRef(view.isClosed)
  const { retry, ...attempt } = useAttempt(
    (signal) => {
      const opened = openSocialWindow(app)
      isClosed.current = opened && (() => opened.closed)
      return loginSocial(app, { provider, opened, signal })
    },
    { request: view.request, slowAfterMs: SLOW_AFTER_MS },
  )
  const hasClosed = useHasClosed(
    () => attempt.status === 'waiting' && isClosed.current?.() === true,
  )
  const picture = <SocialMark provider={provider} size={80} />
  const again = (
    <Button look="quiet" icon="retry" onClick={retry}>
      {t('action.tryAgain')}
    </Button>
  )
  if (attempt.status === 'waiting') {
    const hint = hasClosed ? 'social.closed' : attempt.isSlow ? 'social.slow' : 'social.hint'
    return (
      <Waiting
        picture={picture}
        status="waiting"
        title={t('social.waiting')}
        hint={t(hint, { name })}
      >
        {(hasClosed || attempt.isSlow) && again}
      </Waiting>
    )
  }
  const { error } = attempt
  if (isError(error, 'CHANNEL_CLOSED') && !isClosed.current) {
    return (
      <Waiting
        picture={picture}
        status="failed"
        title={t('social.blocked')}
        hint={t('social.blockedHint')}
      >
        <Button onClick={retry}>{t('social.open')}</Button>
      </Waiting>
    )
  }
  const isInApp = webView.test(app.environment.page?.navigator.userAgent ?? '')
  const isRefused = isError(error, 'USER_REJECTED')
  const text = isError(error) ? error.message : t('shell.viewBroke')
  return (
    <Waiting
      picture={picture}
      status="failed"
      title={t(isRefused ? 'social.refused' : 'social.failed')}
      hint={isInApp ? t('social.inApp', { name }) : isRefused ? t('social.refusedHint') : text}
    >
      {again}
      <Button look="text" onClick={() => goBack(app)}>
        {t('social.other')}
      </Button>
    </Waiting>
  )
}

/** Whether something has been true each time it was looked at for a while. */
function useHasClosed(look: () => boolean): boolean {
  const [looks, setLooks] = useState(0)
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    const timer = setInterval(
      () => setLooks((count) => (latest.current() ? count + 1 : 0)),
      LOOK_EVERY_MS,
    )
    return () => clearInterval(timer)
  }, [])
  return looks >= CLOSED_MS / LOOK_EVERY_MS
}
