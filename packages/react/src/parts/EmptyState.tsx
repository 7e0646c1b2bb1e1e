import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'
import { Icon, type IconName } from './Icon.tsx'

/** Fills an empty or failed area: its state, the reason, and a useful action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  role,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
  role?: 'status' | 'alert'
}) {
  return (
    <div className={styles.notice} role={role}>
      <span className={styles.mark}>
        <Icon name={icon} size={24} />
      </span>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action}
    </div>
  )
}
