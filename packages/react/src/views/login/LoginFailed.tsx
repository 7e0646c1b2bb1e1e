import { goBack } from '@latchkey/core/internal'
import { formatWait, isError, type SocialProvider } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useThrottle } from '../../app/useThrottle.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { SocialMark } from './SocialMark.tsx'
import { useLoginProblem } from './useLoginProblem.ts'

/** A sign-in at a provider that failed or was declined, with the ways on. */
export function LoginFailed({
  provider,
  error,
  hint,
  onRetry,
}: {
  provider: SocialProvider
  error: unknown
  /** Replaces the explanation of the error. */
  hint?: string | undefined
  onRetry: () => void
}) {
  const app = useApp()
  const { locale } = useLatchkey()
  const t = useT(enLogin)
  const seconds = useThrottle(error)
  const describe = useLoginProblem(provider)
  const isRefused = isError(error, 'USER_REJECTED')
  return (
    <PendingState
      picture={<SocialMark provider={provider} size={80} />}
      status="failed"
      title={t(isRefused ? 'social.refused' : 'social.failed')}
      hint={hint ?? describe(error)}
    >
      <Button variant="quiet" icon="retry" disabled={seconds > 0} onClick={onRetry}>
        {seconds > 0
          ? t('login.retryIn', { wait: formatWait(seconds, locale) })
          : t('action.tryAgain')}
      </Button>
      <Button variant="text" onClick={() => goBack(app)}>
        {t('social.other')}
      </Button>
    </PendingState>
  )
}
