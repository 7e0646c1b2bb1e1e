import { goBack } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { type ReactNode, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useOwnRequest } from '../../app/useOwnRequest.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { useWalletPrompt } from '../connect/useWalletPrompt.ts'
import { CodeBoxes } from './CodeBoxes.tsx'
import styles from './login.module.css'

type Confirm = (parameters: { otp?: string; signal: AbortSignal }) => Promise<void>

/**
 * A code from an email: typed into the secure frame, or here if the app and its project allow that.
 */
export function CodeStep(props: { confirm: Confirm; email: string | undefined; foot?: ReactNode }) {
  const app = useApp()
  return app.config.login.otpSurface === 'host' ? (
    <TypedCode {...props} />
  ) : (
    <FramedCode {...props} />
  )
}

type Step = Parameters<typeof CodeStep>[0]

function FramedCode({ confirm, email }: Step) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enLogin)
  const attempt = useWalletPrompt((signal) => confirm({ signal }))
  const mark = <Icon name="mail" size={28} />
  if (attempt.status === 'waiting') {
    return (
      <PendingState
        picture={mark}
        status="waiting"
        title={t('code.preparing')}
        hint={
          <bdi translate="no" className={styles.email}>
            {email}
          </bdi>
        }
      />
    )
  }
  const isClosed = isError(attempt.error, 'USER_REJECTED') || isError(attempt.error, 'ABORTED')
  const reason = isError(attempt.error) ? getMessage(attempt.error) : t('shell.viewBroke')
  return (
    <PendingState
      picture={mark}
      status="failed"
      title={t('code.stopped')}
      hint={isClosed ? t('code.stoppedHint') : reason}
    >
      {isClosed ? (
        <Button onClick={attempt.retry}>{t('code.open')}</Button>
      ) : (
        <Button variant="quiet" onClick={() => goBack(app)}>
          {t('device.again')}
        </Button>
      )}
    </PendingState>
  )
}

function TypedCode({ confirm, email, foot }: Step) {
  const t = useT(enLogin)
  const getMessage = useErrorMessage()
  const [code, setCode] = useState('')
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const begin = useOwnRequest()
  const submit = async (otp: string) => {
    const { signal } = begin()
    setIsPending(true)
    setProblem(undefined)
    try {
      await confirm({ otp, signal })
    } catch (error) {
      if (signal.aborted) return
      setProblem(isError(error) ? getMessage(error) : t('shell.viewBroke'))
      setCode('')
    } finally {
      setIsPending(false)
    }
  }
  return (
    <div className={styles.step}>
      <p className={styles.quiet}>
        {t('code.text')}{' '}
        <bdi translate="no" className={styles.email}>
          {email}
        </bdi>
      </p>
      <CodeBoxes
        value={code}
        onChange={setCode}
        onComplete={submit}
        busy={isPending}
        wrong={problem !== undefined}
      />
      <p className={styles.problem} role="alert">
        {problem}
      </p>
      <p className={styles.quiet} role="status">
        {isPending && t('code.checking')}
      </p>
      {foot}
    </div>
  )
}
