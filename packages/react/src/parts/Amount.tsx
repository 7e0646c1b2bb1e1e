import { formatAmount } from '@latchkey/core/internal'
import styles from './Amount.module.css'

/**
 * An amount with its unit, for reviews: its digits are on a line, smaller the more they are. `full`
 * is the whole amount of an estimate that shows only its first digits.
 */
export const Amount = ({
  value,
  unit,
  full,
}: {
  value: string
  unit: string
  full?: string | undefined
}) => (
  <bdi className={styles.amount} data-length={getLength(value)} title={full} translate="no">
    <span>{value}</span> <small>{unit}</small>
  </bdi>
)

/** An amount with all its decimals, grouped for reading. */
export const formatWhole = (amount: string) =>
  formatAmount(amount, amount.split('.')[1]?.length ?? 0)

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
