import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import styles from './Row.module.css'

type Parts = {
  start?: ReactNode
  label: ReactNode
  detail?: ReactNode
  /** State at the end of the row. */
  end?: ReactNode
}

const Inside = ({ start, label, detail, end }: Parts) => (
  <>
    {start}
    <span className={styles.words}>
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
    </span>
    {end !== undefined && <span className={styles.end}>{end}</span>}
  </>
)

/** A whole row that can be pressed, at least 56 px high. */
export function Row({
  start,
  label,
  detail,
  end,
  ...rest
}: Parts & Omit<ComponentProps<'button'>, 'className' | 'children' | keyof Parts>) {
  return (
    <button type="button" {...rest} className={styles.row}>
      <Inside start={start} label={label} detail={detail} end={end} />
    </button>
  )
}

/** A row that opens a new tab. */
export function LinkRow({ href, ...parts }: Parts & { href: string; 'aria-label'?: string }) {
  const { 'aria-label': label, ...inside } = parts
  return (
    <a
      className={styles.row}
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={label}
    >
      <Inside {...inside} />
    </a>
  )
}

/** A row that only shows something. */
export const FactRow = (parts: Parts) => (
  <div className={styles.row} data-still>
    <Inside {...parts} />
  </div>
)

/** A placeholder for a row's icon. */
export const RowIcon = ({ name }: { name: IconName }) => (
  <span className={styles.mark}>
    <Icon name={name} />
  </span>
)

/** A short status at the end of a row. */
export const Tag = ({
  children,
  tone = 'quiet',
}: {
  children: ReactNode
  tone?: 'quiet' | 'accent' | 'danger'
}) => (
  <span className={styles.tag} data-tone={tone}>
    {children}
  </span>
)
