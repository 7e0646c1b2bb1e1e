import { type ActivityNews, watchActivity } from '@latchkey/core'
import { useEffect, useRef } from 'react'
import { useApp } from './useApp.ts'

/** Hears what happens to the connected account while the component stands. */
export function useActivityNews(listener: (news: ActivityNews) => void) {
  const app = useApp()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => watchActivity(app, (news) => latest.current(news)), [app])
}
