import { resendEmail, showToast } from '@latchkey/core/internal'
import { formatWait, isError } from '@latchkey/wire'
import { useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useSecondsUntil } from '../../app/useSecondsUntil.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'

/** Requests another email, once that is allowed. */
export function Resend() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const { locale } = useLatchkey()
  const t = useT(enLogin)
  const { mutateAsync: run, status } = useAction(resendEmail)
  const [waitUntilMs, setWaitUntilMs] = useState(0)
  const resendAtMs = useAppState((state) => state.login?.resendAtMs ?? 0)
  const seconds = useSecondsUntil(Math.max(resendAtMs, waitUntilMs))
  const resend = async () => {
    try {
      await run(undefined)
      showToast(app, { message: t('email.resent'), variant: 'success' })
    } catch (error) {
      if (isError(error, 'LOGIN_THROTTLED'))
        setWaitUntilMs(app.environment.now() + Number(error.data.seconds) * 1000)
      else if (isError(error)) showToast(app, { message: getMessage(error), variant: 'error' })
    }
  }
  return (
    <Button variant="text" busy={status === 'pending'} disabled={seconds > 0} onClick={resend}>
      {seconds > 0 ? t('email.resendIn', { wait: formatWait(seconds, locale) }) : t('email.resend')}
    </Button>
  )
}
