import { formatAmount } from '@latchkey/core/internal'
import { useState } from 'react'
import { enShared } from '../locales/enShared.ts'
import { useT } from '../locales/useT.ts'
import styles from './Amount.module.css'

/** The most digits that fit next to a picture on a phone of 320 px, in the smallest type. */
const maxCharacters = 24

/**
 * An amount with its unit, for reviews: its digits are on a line, smaller the more they are. If
 * they do not fit on a line, a press shows all of them. `full` is the whole amount of an estimate
 * that shows only its first digits.
 */
export function Amount({
  value,
  unit,
  full,
}: {
  value: string
  unit: string
  full?: string | undefined
}) {
  const t = useT(enShared)
  const [isWhole, setIsWhole] = useState(false)
  const isLong = value.length > maxCharacters
  const shown = isLong && !isWhole ? shorten(value) : value
  const length = isLong && isWhole ? 'broken' : getLength(shown)
  return (
    <bdi className={styles.amount} data-length={length} title={full} translate="no">
      {shown === value ? (
        <span>{value}</span>
      ) : (
        <button type="button" title={t('amount.whole')} onClick={() => setIsWhole(true)}>
          {shown}
        </button>
      )}{' '}
      <small>{unit}</small>
    </bdi>
  )
}

/**
 * An amount that is too long for a line, without its last decimals; rounded to a power of ten if
 * even its whole part is too long. The dots or the sign say that it is not the amount.
 */
function shorten(value: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([+−-]?)([\d,]+)(.*)$/.exec(value) ?? []
  const free = maxCharacters - sign.length - whole.length - 2
  if (free > 2) return `${sign}${whole}${rest.slice(0, free)}…`
  const [digits, power] = Number(whole.replaceAll(',', '')).toExponential(3).split('e+')
  return `${sign}≈ ${digits} × 10^${power}`
}

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
