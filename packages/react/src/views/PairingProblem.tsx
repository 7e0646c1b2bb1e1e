import type { ReactNode } from 'react'
import type { Pairing } from '../hooks/usePairing.ts'
import { useT } from '../hooks/useT.ts'
import { Button } from '../parts/Button.tsx'
import { Waiting } from '../parts/Waiting.tsx'
import { refusalOf } from './refusalOf.ts'

/** What went wrong with a pairing, with a new try; nothing while all is well. */
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
  const words =
    status === 'late' && error === undefined
      ? { title: t('pairing.late'), hint: t('pairing.lateHint') }
      : refusalOf(error, { t, name })
  return (
    <Waiting picture={picture} status="failed" {...words}>
      <Button look="quiet" icon="retry" onClick={retry}>
        {t('action.tryAgain')}
      </Button>
    </Waiting>
  )
}
