import { useLatchkey } from '../app/context.ts'
import { useOnline } from '../app/useOnline.ts'
import { useBalances } from '../hooks/useBalances.ts'
import { enActivity } from '../locales/enActivity.ts'
import { useT } from '../locales/useT.ts'
import views from './view.module.css'

/** A line without a network connection, with the time when the balances were last read. */
export const OfflineLine = () => (useOnline() ? null : <Line />)

function Line() {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const { data, dataUpdatedAt } = useBalances({ query: { enabled: false } })
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return (
    <p className={views.offline} role="status">
      {data === undefined
        ? t('offline.opened')
        : t('offline.read', { time: new Date(dataUpdatedAt).toLocaleString(locale, style) })}
    </p>
  )
}
