import { dismissAlert } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { type ReactNode, useEffect } from 'react'
import { useApp } from '../../app/useApp.ts'
import { enConnecting } from '../../locales/enConnecting.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { useConnectErrorText } from '../connect/connectErrorText.ts'
import type { WalletPairing } from './useWalletPairing.ts'

/** Whether a pairing cannot continue without a retry. */
export const hasProblem = ({ status }: WalletPairing): boolean =>
  status === 'late' || status === 'failed'

/** Says why the relay cannot be reached and offers a retry. */
export function PairingProblem({
  pairing,
  picture,
  name,
}: {
  pairing: WalletPairing
  picture: ReactNode
  name: string
}) {
  const t = useT(enConnecting)
  const getErrorText = useConnectErrorText()
  const { status, error, retry } = pairing
  useAlertHere(error)
  const words =
    status === 'late' && error === undefined
      ? { title: t('pairing.late'), hint: t('pairing.lateHint') }
      : getErrorText(error, name)
  return (
    <PendingState picture={picture} status="failed" {...words}>
      <Button variant="quiet" icon="retry" onClick={retry}>
        {t('action.tryAgain')}
      </Button>
    </PendingState>
  )
}

/** An alert would repeat what this notice shows, so it is dismissed. */
function useAlertHere(error: unknown) {
  const app = useApp()
  useEffect(() => {
    if (isError(error) && app.store.getState().alert?.code === error.code) dismissAlert(app)
  }, [app, error])
}
