import { formatWait, isError, providerNames, type SocialProvider } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'

/** The message about a failed sign-in at a provider, with the next step. */
export function useLoginProblem(provider: SocialProvider): (error: unknown) => string {
  const getMessage = useErrorMessage()
  const t = useT(enLogin)
  const name = providerNames[provider]
  return (error) => {
    if (isError(error, 'USER_REJECTED')) return t('social.refusedHint')
    if (isError(error, 'LOGIN_ENDED')) return t('social.failedHint', { name })
    if (isError(error, 'OUTBOUND_FAILED')) return t('social.away', { name })
    if (isError(error, 'UNSUPPORTED_METHOD')) return t('social.noStorage')
    if (isError(error, 'LOGIN_THROTTLED')) return t('login.tooMany')
    return isError(error) ? getMessage(error) : t('shell.viewBroke')
  }
}

/** The longest wait, in seconds, that only separates one mail from the next. */
const shortWait = 30

/** The message about a sign-in that has to wait; a long wait has its reason. */
export function useWaitText(): (seconds: number) => string {
  const { locale } = useLatchkey()
  const t = useT(enLogin)
  return (seconds) =>
    t(seconds > shortWait ? 'email.tooMany' : 'email.wait', { wait: formatWait(seconds, locale) })
}
