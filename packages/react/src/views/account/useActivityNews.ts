import { type ActivityNews, watchActivity } from '@latchkey/core'
import { useEffect, useRef } from 'react'
import { useApp } from '../../app/useApp.ts'

/** Hears what happens to the connected account while the component stands; what is returned is waited for. */
export function useActivityNews(listener: (news: ActivityNews) => unknown) {
  const app = useApp()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => watchActivity(app, (news) => latest.current(news)), [app])
}
