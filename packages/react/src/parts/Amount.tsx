import styles from './Amount.module.css'

/**
 * A whole amount with its unit, for reviews: its digits are on a line, smaller the more they are,
 * and none is left out.
 */
export const Amount = ({ value, unit }: { value: string; unit: string }) => (
  <bdi className={styles.amount} data-length={getLength(value)} translate="no">
    <span>{value}</span> <small>{unit}</small>
  </bdi>
)

/** How large an amount can be displayed. */
export const getLength = ({ length }: string) =>
  length > 20
    ? 'endless'
    : length > 15
      ? 'longest'
      : length > 12
        ? 'longer'
        : length > 8
          ? 'long'
          : undefined
