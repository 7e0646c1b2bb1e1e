import { isAlert, isError } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { getAlertMessage, getErrorMessage } from '../../errors/errorMessage.ts'
import { enConnecting } from '../../locales/enConnecting.ts'
import { useT } from '../../locales/useT.ts'

/** Returns the function that explains why a wallet could not be connected, and what to do next. */
export function useConnectErrorText() {
  const language = useLatchkey()
  const t = useT(enConnecting)
  return (error: unknown, name: string): { title: string; hint: string } => {
    if (isError(error, 'USER_REJECTED'))
      return { title: t('connecting.declined'), hint: t('connecting.declinedHint') }
    if (isError(error, 'REQUEST_PENDING'))
      return { title: t('connecting.pending'), hint: t('connecting.pendingHint', { name }) }
    if (isError(error, 'RELAY_UNREACHABLE'))
      return { title: t('pairing.late'), hint: t('pairing.lateHint') }
    const message = isError(error) ? getErrorMessage(error, language) : ''
    if (isError(error) && isAlert(error))
      return { title: message, hint: getAlertMessage(error, language) }
    return { title: t('connecting.failed'), hint: message }
  }
}
