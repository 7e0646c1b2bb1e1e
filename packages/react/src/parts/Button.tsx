import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { Icon, type IconName } from './Icon.tsx'

type Variant = 'main' | 'quiet' | 'danger' | 'text'

/** A button with a label; `busy` keeps its place and its focus while an action runs. */
export function Button({
  variant = 'main',
  icon,
  busy = false,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & {
  variant?: Variant
  icon?: IconName
  busy?: boolean
  children: ReactNode
}) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-look={variant}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? undefined : rest.onClick}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** A square button of 44 px that shows only an icon. */
export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'className' | 'children'> & { icon: IconName; label: string }) {
  return (
    <button type="button" {...rest} className={styles.iconButton} aria-label={label}>
      <Icon name={icon} />
    </button>
  )
}
