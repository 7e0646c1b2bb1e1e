import {
  goBack,
  isInApp,
  loginSocial,
  loginSocialInTab,
  openSocialWindow,
} from '@latchkey/core/internal'
import { isError, providerNames } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useCopy } from '../../app/useCopy.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { useWalletPrompt } from '../connect/useWalletPrompt.ts'
import type { ViewProps } from '../viewProps.ts'
import { LoginFailed } from './LoginFailed.tsx'
import { SocialMark } from './SocialMark.tsx'

/** How long a user has to come back before seeing how to start again. */
const SLOW_AFTER_MS = 60_000
/**
 * How long the window must be closed: it closes by itself a moment before the login is finished.
 */
const CLOSED_MS = 3_000
const LOOK_EVERY_MS = 500

/**
 * Signs in at a provider, in its window or in this tab; if the provider is known to refuse that,
 * shows a notice.
 */
export const ConnectingSocial = ({ view }: ViewProps<'ConnectingSocial'>) =>
  view.isRefused ? <Refused view={view} /> : <Attempting view={view} />

function Refused({ view: { provider } }: ViewProps<'ConnectingSocial'>) {
  const app = useApp()
  const t = useT(enLogin)
  const { copied, copy } = useCopy()
  const name = providerNames[provider]
  return (
    <PendingState
      picture={<SocialMark provider={provider} size={80} />}
      status="failed"
      title={t('social.refusesApps', { name })}
      hint={t('social.refusesAppsHint', { name })}
    >
      <Button variant="quiet" onClick={() => void copy(app.environment.page?.location.href ?? '')}>
        {t(copied ? 'connect.copied' : 'connect.copyPage')}
      </Button>
      <Button variant="text" onClick={() => goBack(app)}>
        {t('social.other')}
      </Button>
    </PendingState>
  )
}

/**
 * Waits for the sign-in in the provider's window. A window that seems to be closed may only be
 * inaccessible, so the wait continues.
 */
function Attempting({ view }: ViewProps<'ConnectingSocial'>) {
  const app = useApp()
  const t = useT(enLogin)
  const { provider } = view
  const name = providerNames[provider]
  const isClosed = useRef(view.isClosed)
  const inTab = useRef(view.inTab === true)
  const isAstray = useAppState((state) => state.isSocialAstray)
  const [isElsewhere, setIsElsewhere] = useState(false)
  const { retry, ...attempt } = useWalletPrompt<unknown>(
    (signal) => {
      if (inTab.current) return loginSocialInTab(app, { provider, signal })
      const opened = openSocialWindow(app)
      isClosed.current = opened && (() => opened.closed)
      return loginSocial(app, { provider, opened, signal })
    },
    {
      request: view.request,
      slowAfterMs: SLOW_AFTER_MS,
      done: (end) => setIsElsewhere(end === 'elsewhere'),
    },
  )
  const leave = () => {
    inTab.current = true
    retry()
  }
  const tryAgain = () => {
    inTab.current = isInApp(app)
    retry()
  }
  const hasClosed = useHasClosed(
    () => attempt.status === 'waiting' && isClosed.current?.() === true,
  )
  const picture = <SocialMark provider={provider} size={80} />
  const again = (
    <Button variant="quiet" icon="retry" onClick={tryAgain}>
      {t('action.tryAgain')}
    </Button>
  )
  if (isElsewhere)
    return (
      <PendingState
        picture={picture}
        status="done"
        title={t('social.done')}
        hint={t('social.elsewhere')}
      />
    )
  if (attempt.status === 'waiting' && inTab.current)
    return (
      <PendingState
        picture={picture}
        status="waiting"
        title={t('social.waiting')}
        hint={t('social.leaving', { name })}
      >
        {attempt.isSlow && again}
      </PendingState>
    )
  if (attempt.status === 'waiting') {
    const slow = attempt.isSlow ? 'social.slow' : 'social.hint'
    const hint = isAstray ? 'social.stray' : hasClosed ? 'social.closed' : slow
    // Without a window, the page has come back with the login.
    const isReturned = !isClosed.current
    return (
      <PendingState
        picture={picture}
        status="waiting"
        title={t('social.waiting')}
        hint={t(isReturned ? 'social.finishing' : hint, { name })}
      >
        {(isAstray || hasClosed || attempt.isSlow) && again}
      </PendingState>
    )
  }
  const { error } = attempt
  if (isError(error, 'CHANNEL_CLOSED') && !isClosed.current) {
    return (
      <PendingState
        picture={picture}
        status="failed"
        title={t('social.blocked')}
        hint={t('social.blockedHint')}
      >
        <Button onClick={leave}>{t('social.inTab')}</Button>
        <Button variant="quiet" onClick={retry}>
          {t('social.open')}
        </Button>
      </PendingState>
    )
  }
  const isRefusedInApp = isError(error, 'USER_REJECTED') && isInApp(app)
  return (
    <LoginFailed
      provider={provider}
      error={error}
      hint={isRefusedInApp ? t('social.inApp', { name }) : undefined}
      onRetry={tryAgain}
    />
  )
}

/** Whether each check for a while has returned true. */
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
