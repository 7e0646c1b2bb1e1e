import { getPlatform, loginFarcaster } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useCopy } from '../../app/useCopy.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { useWalletPrompt } from '../connect/useWalletPrompt.ts'
import { QrCode } from '../qrCode/QrCode.tsx'
import { LoginFailed } from './LoginFailed.tsx'
import { SocialMark } from './SocialMark.tsx'
import styles from './social.module.css'

/**
 * Shows the code for the user's Farcaster app, on a phone the link to it, and waits until the app
 * has signed.
 */
export function ConnectingFarcaster() {
  const app = useApp()
  const t = useT(enLogin)
  const [url, setUrl] = useState<string>()
  const [isSigned, setIsSigned] = useState(false)
  const { retry, ...attempt } = useWalletPrompt((signal) => {
    setUrl(undefined)
    setIsSigned(false)
    return loginFarcaster(app, { onUrl: setUrl, onSigned: () => setIsSigned(true), signal })
  })
  const { copied, copy } = useCopy()
  const picture = <SocialMark provider="farcaster" size={80} />
  if (attempt.status === 'failed')
    return <LoginFailed provider="farcaster" error={attempt.error} onRetry={retry} />
  if (isSigned)
    return (
      <PendingState
        picture={picture}
        status="waiting"
        title={t('farcaster.loading')}
        hint={t('farcaster.loadingHint')}
      />
    )
  const copyLink = (
    <Button
      variant="quiet"
      icon="copy"
      disabled={url === undefined}
      onClick={() => void copy(url ?? '')}
    >
      {t(copied ? 'connect.copied' : 'farcaster.copy')}
    </Button>
  )
  const { page } = app.environment
  const isPhone = getPlatform({ page }).isPhone
  const openApp = (
    <Button
      variant={isPhone ? 'main' : 'text'}
      disabled={url === undefined}
      onClick={() => page?.open(url ?? '', '_blank', 'noopener noreferrer')}
    >
      {t('farcaster.open')}
    </Button>
  )
  if (isPhone)
    return (
      <PendingState
        picture={picture}
        status="waiting"
        title={t('farcaster.continue')}
        hint={t('farcaster.accept')}
      >
        {openApp}
        {copyLink}
      </PendingState>
    )
  return (
    <div className={styles.code} aria-busy={url === undefined || undefined}>
      <QrCode text={url} label={t('farcaster.code')} />
      <p className={styles.scan}>{t('farcaster.scan')}</p>
      {copyLink}
      {openApp}
      <p className={styles.quiet} role="status">
        {t(url === undefined ? 'farcaster.preparing' : 'farcaster.accept')}
      </p>
    </div>
  )
}
