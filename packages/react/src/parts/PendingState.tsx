import type { ReactNode } from 'react'
import styles from './PendingState.module.css'

/** Waits for a wallet: its picture with a spinning ring, and below it the step or the error. */
export function PendingState({
  picture,
  status,
  title,
  hint,
  children,
}: {
  picture: ReactNode
  status: 'waiting' | 'failed' | 'done'
  title: string
  hint: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={styles.waiting}>
      <div className={styles.ring} data-status={status}>
        <svg viewBox="0 0 104 104" aria-hidden="true">
          <rect x="2" y="2" width="100" height="100" rx="32" pathLength="100" />
        </svg>
        {picture}
      </div>
      <div className={styles.words} role={status === 'failed' ? 'alert' : 'status'}>
        <p className={styles.title} data-status={status}>
          {title}
        </p>
        <p className={styles.hint}>{hint}</p>
      </div>
      {children}
    </div>
  )
}
