import { loginPasskey } from '@latchkey/core'
import { isError } from '@latchkey/wire'
import { useEffect, useRef } from 'react'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from '../view.module.css'

/** Signs in with a passkey, where the browser has them and the secure frame may use them: on a host name, not an IP address. */
export function PasskeyButton({ disabled }: { disabled: boolean }) {
  const app = useApp()
  const t = useT(enLogin)
  const { run, status, error } = useAction(loginPasskey)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  if (!canUsePasskeys(app.config.frameUrl)) return null
  const start = () => {
    asking.current = new AbortController()
    void run({ signal: asking.current.signal }).catch(() => {})
  }
  // A user who closed the window needs no message.
  const isShown =
    status === 'error' && !isError(error, 'USER_REJECTED') && !isError(error, 'ABORTED')
  return (
    <>
      <Button
        look="quiet"
        icon="key"
        disabled={disabled}
        busy={status === 'pending'}
        onClick={start}
      >
        {t('passkey.use')}
      </Button>
      {isShown && (
        <p className={styles.inlineError} role="alert">
          {isError(error) ? error.message : t('shell.viewBroke')}
        </p>
      )}
    </>
  )
}

const canUsePasskeys = (frameUrl: string | undefined): boolean =>
  'PublicKeyCredential' in globalThis &&
  globalThis.isSecureContext &&
  !/^(\d+\.){3}\d+$|^\[/.test(new URL(frameUrl ?? '', globalThis.location.href).hostname)
