import { dismissAlert } from '@latchkey/core'
import { isError } from '@latchkey/wire'
import { type ReactNode, useEffect } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Waiting } from '../../parts/Waiting.tsx'
import { getConnectErrorText } from './connectErrorText.ts'
import type { Pairing } from './usePairing.ts'

/** Whether a pairing cannot go on without a new try. */
export const hasProblem = ({ status }: Pairing): boolean => status === 'late' || status === 'failed'

/** Says why there is no connection by a relay and offers to try again. */
export function PairingProblem({
  pairing,
  picture,
  name,
}: {
  pairing: Pairing
  picture: ReactNode
  name: string
}) {
  const t = useT()
  const { status, error, retry } = pairing
  useAlertHere(error)
  const words =
    status === 'late' && error === undefined
      ? { title: t('pairing.late'), hint: t('pairing.lateHint') }
      : getConnectErrorText(error, { t, name })
  return (
    <Waiting picture={picture} status="failed" {...words}>
      <Button look="quiet" icon="retry" onClick={retry}>
        {t('action.tryAgain')}
      </Button>
    </Waiting>
  )
}

/** What an alert says stands here already, and stays: one of both is enough. */
function useAlertHere(error: unknown) {
  const app = useApp()
  useEffect(() => {
    if (isError(error) && app.store.getState().alert?.code === error.code) dismissAlert(app)
  }, [app, error])
}
