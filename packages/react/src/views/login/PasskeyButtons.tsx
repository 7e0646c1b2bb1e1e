import { loginPasskey } from '@latchkey/core'
import { isError } from '@latchkey/wire'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useOwnRequest } from '../../app/useOwnRequest.ts'
import { useThrottle } from '../../app/useThrottle.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from '../view.module.css'
import { canUsePasskeys } from './canUsePasskeys.ts'
import { useWaitText } from './useLoginProblem.ts'

/** The buttons for a new account with a passkey, and for an existing account, if available. */
export function PasskeyButtons({ disabled }: { disabled: boolean }) {
  const app = useApp()
  if (!canUsePasskeys(app.config.frameUrl)) return null
  return (
    <>
      {app.config.login.passkeyAccounts && <PasskeyButton kind="create" disabled={disabled} />}
      <PasskeyButton kind="use" disabled={disabled} />
    </>
  )
}

/** Signs in with a passkey, or creates an account with a new one. */
function PasskeyButton({ kind, disabled }: { kind: 'create' | 'use'; disabled: boolean }) {
  const getMessage = useErrorMessage()
  const getWaitText = useWaitText()
  const t = useT(enLogin)
  const { mutate, status, error } = useAction(loginPasskey)
  const seconds = useThrottle(error)
  const begin = useOwnRequest()
  const start = () => mutate({ create: kind === 'create', signal: begin().signal })
  const isLimited = isError(error, 'LOGIN_THROTTLED')
  // A user who closed the window needs no message.
  const isShown = isLimited
    ? seconds > 0
    : status === 'error' && !isError(error, 'USER_REJECTED') && !isError(error, 'ABORTED')
  const getProblem = () => {
    if (isLimited) return getWaitText(seconds)
    return isError(error) ? getMessage(error) : t('shell.viewBroke')
  }
  return (
    <>
      <Button
        variant="quiet"
        icon="key"
        disabled={disabled || seconds > 0}
        busy={status === 'pending'}
        onClick={start}
      >
        {t(`passkey.${kind}`)}
      </Button>
      {isShown && (
        <p className={styles.inlineError} role="alert">
          {getProblem()}
        </p>
      )}
    </>
  )
}
