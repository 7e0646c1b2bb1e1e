import { readDecimal } from '@latchkey/wire'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { enShared } from '../../locales/enShared.ts'
import { useT } from '../../locales/useT.ts'
import styles from './Send.module.css'

/**
 * The state of an amount's input. `onChange` receives a decimal string with a point; an empty
 * string while the input is ambiguous; or the input itself if it is not an amount. `question` lets
 * the user choose between two meanings.
 */
export function useTypedAmount({
  amount,
  symbol,
  onChange,
}: {
  amount: string
  symbol: string | undefined
  onChange: (amount: string) => void
}): {
  field: { value: string; onChange: (event: ChangeEvent<HTMLInputElement>) => void }
  question: ReactNode
} {
  const { locale } = useLatchkey()
  const t = useT(enShared)
  const [typed, setTyped] = useState(amount)
  const read = (text: string) =>
    readDecimal(text, { locales: [locale, ...navigator.languages], symbol })
  const change = (text: string) => {
    setTyped(text)
    onChange(toAmount(text, read(text)))
  }
  const found = read(typed)
  // The amount may have been filled in or emptied elsewhere since.
  const isShown = toAmount(typed, found) === amount
  const readings = isShown && found && 'readings' in found ? found.readings : []
  return {
    field: {
      value: isShown ? typed : amount,
      onChange: ({ target }) => change(target.value),
    },
    question: readings.length > 0 && (
      <div className={styles.question} role="status">
        <span>{t('amount.ambiguous', { typed: typed.trim() })}</span>
        {readings.map((reading) => (
          <button
            key={reading}
            type="button"
            className={styles.reading}
            onClick={() => onChange(reading)}
          >
            {reading}
          </button>
        ))}
      </div>
    ),
  }
}

function toAmount(typed: string, read: ReturnType<typeof readDecimal>): string {
  if (read === undefined) return typed.trim()
  return 'amount' in read ? read.amount : ''
}
