import { useState } from 'react'
import { text } from '../locales/text.ts'
import { useOnline } from '../useOnline.ts'

/** One line without a network: since when, and how old the figures are. */
export function OfflineLine() {
  const isOnline = useOnline()
  const [wasOnline, setWasOnline] = useState(isOnline)
  const [sinceMs, setSinceMs] = useState<number>()
  // Set while it renders, so that no line without the time appears first.
  if (isOnline !== wasOnline) {
    setWasOnline(isOnline)
    setSinceMs(isOnline ? undefined : Date.now())
  }
  if (isOnline) return null
  return (
    <p className="notice offline" role="status">
      {sinceMs === undefined
        ? text('offline.opened')
        : text('offline.since', {
            time: new Date(sinceMs).toLocaleTimeString(undefined, { timeStyle: 'short' }),
          })}
    </p>
  )
}
