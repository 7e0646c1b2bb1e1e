import { loginPasskey } from '@latchkey/core'
import { isError } from '@latchkey/wire'
import { useEffect, useRef } from 'react'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from '../view.module.css'
import { canUsePasskeys } from './canUsePasskeys.ts'

/** Signs in with a passkey, if passkeys are available. */
export function PasskeyButton({ disabled }: { disabled: boolean }) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enLogin)
  const { mutate, status, error } = useAction(loginPasskey)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  if (!canUsePasskeys(app.config.frameUrl)) return null
  const start = () => {
    asking.current = new AbortController()
    mutate({ signal: asking.current.signal })
  }
  // A user who closed the window needs no message.
  const isShown =
    status === 'error' && !isError(error, 'USER_REJECTED') && !isError(error, 'ABORTED')
  return (
    <>
      <Button
        variant="quiet"
        icon="key"
        disabled={disabled}
        busy={status === 'pending'}
        onClick={start}
      >
        {t('passkey.use')}
      </Button>
      {isShown && (
        <p className={styles.inlineError} role="alert">
          {isError(error) ? getMessage(error) : t('shell.viewBroke')}
        </p>
      )}
    </>
  )
}
