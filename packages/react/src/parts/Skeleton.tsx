import styles from './Skeleton.module.css'

const numbers = (length: number) => Array.from({ length }, (_, index) => index)

/** Rows in their final shape while a list loads. */
export const SkeletonRows = ({ rows, label }: { rows: number; label: string }) => (
  <div className={styles.rows} role="status" aria-label={label}>
    {numbers(rows).map((number) => (
      <div key={number} className={styles.row} aria-hidden="true">
        <span className={styles.icon} />
        <span className={styles.line} data-odd={number % 2 === 1 || undefined} />
      </div>
    ))}
  </div>
)

/** Cards in their final shape while a grid loads. */
export const SkeletonCards = ({ cards }: { cards: number }) =>
  numbers(cards).map((number) => (
    <div key={number} className={styles.card} aria-hidden="true">
      <span className={styles.cardIcon} />
      <span className={styles.cardLine} />
    </div>
  ))

/** A field while its code loads. */
export const SkeletonField = () => <div className={styles.field} aria-hidden="true" />

/** A button while its code loads. */
export const SkeletonButton = () => <div className={styles.button} aria-hidden="true" />

/** A placeholder for an amount. */
export const SkeletonLine = ({ wide = false }: { wide?: boolean }) => (
  <span className={styles.amount} data-wide={wide || undefined} aria-hidden="true" />
)
