import { confirmDevice, resetViews } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { useWalletPrompt } from '../connect/useWalletPrompt.ts'
import styles from './login.module.css'
import { Resend } from './Resend.tsx'

/** Waits until the user has opened the link in the email and selected these digits there. */
export function EmailVerifyDevice() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enLogin)
  const login = useAppState((state) => state.login)
  const attempt = useWalletPrompt((signal) => confirmDevice(app, { signal }))
  const mark = <Icon name="mail" size={28} />
  if (attempt.status === 'failed') {
    return (
      <PendingState
        picture={mark}
        status="failed"
        title={t('device.failed')}
        hint={isError(attempt.error) ? getMessage(attempt.error) : t('shell.viewBroke')}
      >
        {isError(attempt.error, 'LOGIN_ENDED') ? (
          <Button variant="quiet" onClick={() => resetViews(app, { name: 'Connect' })}>
            {t('device.again')}
          </Button>
        ) : (
          <Button onClick={attempt.retry}>{t('action.tryAgain')}</Button>
        )}
      </PendingState>
    )
  }
  return (
    <PendingState
      picture={mark}
      status="waiting"
      title={t('device.text')}
      hint={
        <bdi translate="no" className={styles.email}>
          {login?.email}
        </bdi>
      }
    >
      {login?.matchCode && (
        <p className={styles.match}>
          <span>{t('device.match')}</span>
          <strong dir="ltr">{login.matchCode}</strong>
        </p>
      )}
      <Resend />
    </PendingState>
  )
}
