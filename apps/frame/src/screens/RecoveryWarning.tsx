import { useEffect, useState } from 'react'
import type { LoginSession } from '../auth/loginSession.ts'
import { account } from '../locales/account.en.ts'
import { en } from '../locales/en.ts'
import { Button } from './parts/Button.tsx'
import { WaitingRecoveries } from './parts/WaitingRecoveries.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

const t = account.waiting
export type WarningProps = { session: LoginSession; onShown: () => void; onStopped: () => void }

/**
 * A warning that someone requests the recovery of a wallet in this browser. It is shown by itself,
 * with or without a session.
 */
export function RecoveryWarning({
  session,
  onShown,
  onStopped,
  done,
}: WarningProps & ScreenCallbacks<void>) {
  const [stopped, setStopped] = useState(false)
  useEffect(onShown, [onShown])
  const showStopped = () => {
    setStopped(true)
    onStopped()
  }
  return (
    <div className="stack">
      {!stopped && <p className="lead">{t.lead}</p>}
      <WaitingRecoveries session={session} onStopped={showStopped} />
      <Button kind="quiet" onClick={() => done()}>
        {stopped ? en.common.done : t.later}
      </Button>
    </div>
  )
}
