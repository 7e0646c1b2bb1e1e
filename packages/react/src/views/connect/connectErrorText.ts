import { getAlertText, getPresentation, isError } from '@latchkey/wire'
import type { T } from '../../locales/createT.ts'
import type { enConnecting } from '../../locales/enConnecting.ts'

/** Why a wallet could not be connected, and what to do next, in plain words. */
export function getConnectErrorText(
  error: unknown,
  {
    t,
    name,
    getMessage,
  }: { t: T<typeof enConnecting>; name: string; getMessage: (error: unknown) => string },
): { title: string; hint: string } {
  if (isError(error, 'USER_REJECTED'))
    return { title: t('connecting.declined'), hint: t('connecting.declinedHint') }
  if (isError(error, 'REQUEST_PENDING'))
    return { title: t('connecting.pending'), hint: t('connecting.pendingHint', { name }) }
  if (isError(error, 'RELAY_UNREACHABLE'))
    return { title: t('pairing.late'), hint: t('pairing.lateHint') }
  if (isError(error) && getPresentation(error.code) === 'alert')
    return { title: getMessage(error), hint: getAlertText(error) }
  return { title: t('connecting.failed'), hint: isError(error) ? getMessage(error) : '' }
}
