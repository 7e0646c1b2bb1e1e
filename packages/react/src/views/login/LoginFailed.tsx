import { goBack } from '@latchkey/core/internal'
import { isError, type SocialProvider } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
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
  const t = useT(enLogin)
  const describe = useLoginProblem(provider)
  const isRefused = isError(error, 'USER_REJECTED')
  return (
    <PendingState
      picture={<SocialMark provider={provider} size={80} />}
      status="failed"
      title={t(isRefused ? 'social.refused' : 'social.failed')}
      hint={hint ?? describe(error)}
    >
      <Button variant="quiet" icon="retry" onClick={onRetry}>
        {t('action.tryAgain')}
      </Button>
      <Button variant="text" onClick={() => goBack(app)}>
        {t('social.other')}
      </Button>
    </PendingState>
  )
}
