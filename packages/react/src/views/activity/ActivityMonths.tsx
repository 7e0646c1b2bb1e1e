import {
  type Day,
  getNoteKey,
  groupByMonth,
  type Month,
  type Notes,
  relativeTime,
} from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { useId, useMemo } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useNow } from '../../app/useNow.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import styles from '../account/ActivityList.module.css'
import { ActivityRow } from '../account/ActivityRow.tsx'

/** The addresses that the user knows, and the user's notes. */
type OwnData = { known: readonly string[]; notes: Notes }

/** Transactions by month, and in each month by day, newest first. */
export function ActivityMonths({
  transactions,
  ...own
}: { transactions: readonly HistoryTransaction[] } & OwnData) {
  const { locale } = useLatchkey()
  const nowMs = useNow()
  // Titles change with the day, not with every second.
  const todayMs = nowMs === undefined ? undefined : new Date(nowMs).setHours(12, 0, 0, 0)
  const months = useMemo(
    () => (todayMs === undefined ? [] : groupByMonth(transactions, { nowMs: todayMs, locale })),
    [transactions, todayMs, locale],
  )
  return months.map((month) => (
    <MonthRows key={month.key} month={month} nowMs={nowMs ?? 0} {...own} />
  ))
}

// No landmark: the list is in the page and in the modal at once.
const MonthRows = ({ month, ...rest }: { month: Month; nowMs: number } & OwnData) => (
  <div>
    <h3 className={styles.month}>{month.title}</h3>
    {month.days.map((day) => (
      <DayRows key={day.key} day={day} {...rest} />
    ))}
  </div>
)

function DayRows({ day, nowMs, known, notes }: { day: Day; nowMs: number } & OwnData) {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const id = useId()
  const formatAge = ({ metadata }: HistoryTransaction) => {
    const atMs = Date.parse(metadata.minedAt)
    // The start of a pending transaction is unknown: its time is only that at which the server
    // responded.
    if (Number.isNaN(atMs) || metadata.status === 'pending') return undefined
    if (day.near !== 'today')
      return new Date(atMs).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
    const { count, unit } = relativeTime({ atMs, nowMs })
    if (unit === 'sec') return t('time.now')
    return t('time.ago', { age: t(`time.${unit}`, { count }) })
  }
  return (
    <>
      <h4 id={id} className={styles.day}>
        {day.near ? t(`activity.${day.near}`) : day.title}
      </h4>
      <ul className={styles.list} aria-labelledby={id}>
        {day.transactions.map((transaction) => (
          <li key={transaction.id} className={styles.item}>
            <ActivityRow
              transaction={transaction}
              age={formatAge(transaction)}
              known={known}
              note={notes.get(getNoteKey(transaction))}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
