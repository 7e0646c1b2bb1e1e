import type { App } from '@latchkey/core'
import { LatchkeyProvider } from '@latchkey/react'
import { useEffect, useState } from 'react'
import { loadConfig } from './loadConfig.ts'
import { ConfigFailed } from './pages/ConfigFailed.tsx'
import { Starting } from './pages/Starting.tsx'
import { Shell } from './Shell.tsx'
import { startApp } from './startApp.ts'

export type Start =
  | { status: 'loading' }
  | { status: 'failed'; reason: string }
  | { status: 'ready'; app: App }

/** The pause before the page retries a server that was unreachable. */
const retryMs = 5_000

/** Loads the server's configuration, and starts the app with it. */
export const loadStart = (signal?: AbortSignal): Promise<Start> =>
  loadConfig({ fetch: (...parameters) => globalThis.fetch(...parameters), signal }).then(
    (config): Start => ({ status: 'ready', app: startApp(config) }),
    (error: Error): Start => ({ status: 'failed', reason: error.message }),
  )

/** The app; until the first attempt to start it has ended, a page without it. */
export function Root({ now, first }: { now: Start; first: Promise<Start> }) {
  const [start, setStart] = useState(now)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const pending = attempt === 0 ? first : loadStart(signal)
    pending.then((next) => signal.aborted || setStart(next))
    return () => controller.abort()
  }, [attempt, first])

  useEffect(() => {
    if (start.status !== 'failed') return
    const askAgain = () => setAttempt((number) => number + 1)
    const timer = setTimeout(askAgain, retryMs)
    window.addEventListener('online', askAgain)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', askAgain)
    }
  }, [start])

  if (start.status === 'loading') return <Starting />
  if (start.status === 'failed') {
    const retry = () => {
      setStart({ status: 'loading' })
      setAttempt((number) => number + 1)
    }
    return <ConfigFailed reason={start.reason} onRetry={retry} />
  }
  return (
    <LatchkeyProvider app={start.app}>
      <Shell />
    </LatchkeyProvider>
  )
}
