import { useBalances, useOnline } from '@latchkey/react'
import { text } from '../locales/text.ts'

/** One line without a network, and how old the balances are. */
export const OfflineLine = () => (useOnline() ? null : <Line />)

/**
 * The browser reports late that it is offline, for example after sleep. So the line has the time of
 * the last read. A hidden page reads nothing.
 */
function Line() {
  const { data, dataUpdatedAt } = useBalances({ query: { enabled: false } })
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return (
    <p className="notice offline" role="status">
      {data === undefined
        ? text('offline.opened')
        : text('offline.read', { time: new Date(dataUpdatedAt).toLocaleString(undefined, style) })}
    </p>
  )
}
