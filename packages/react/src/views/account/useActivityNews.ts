import { type ActivityNews, watchActivity } from '@latchkey/core'
import { useEffect, useRef } from 'react'
import { useApp } from '../../app/useApp.ts'

/**
 * Listens to events of the connected account while the component is mounted. If the listener
 * returns a promise, the next event waits for it.
 */
export function useActivityNews(listener: (news: ActivityNews) => unknown) {
  const app = useApp()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => watchActivity(app, (news) => latest.current(news)), [app])
}
