import { useLazyImport } from '../../app/useLazyImport.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import styles from './RecoveryNotice.module.css'

const loadOnlyHere = () => import('./OnlyHere.tsx').then(({ OnlyHere }) => OnlyHere)

/**
 * A line with a button that sets up recovery, if the account on the selected network is an embedded
 * wallet without a way of recovery. Draws and loads nothing for other accounts.
 */
export function RecoveryNotice() {
  const isMissing = useAccount().user?.isRecoverable === false
  const { value: OnlyHere } = useLazyImport(loadOnlyHere, isMissing)
  if (!isMissing) return null
  return <div className={styles.place}>{OnlyHere && <OnlyHere />}</div>
}
