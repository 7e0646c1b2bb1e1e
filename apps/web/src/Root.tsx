import type { App } from '@latchkey/core'
import { LatchkeyProvider } from '@latchkey/react'
import { useEffect, useState } from 'react'
import { loadConfig } from './loadConfig.ts'
import { ConfigFailed } from './pages/ConfigFailed.tsx'
import { Starting } from './pages/Starting.tsx'
import { Shell } from './Shell.tsx'
import { startApp } from './startApp.ts'

type Start =
  | { status: 'loading' }
  | { status: 'failed'; reason: string }
  | { status: 'ready'; app: App }

/** The pause before the page retries a server that was unreachable. */
const retryMs = 5_000

/** Loads the server's configuration, then the app. */
export function Root() {
  const [start, setStart] = useState<Start>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt runs it again
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    loadConfig({ fetch: (...parameters) => globalThis.fetch(...parameters), signal }).then(
      (config) => signal.aborted || setStart({ status: 'ready', app: startApp(config) }),
      (error: Error) => signal.aborted || setStart({ status: 'failed', reason: error.message }),
    )
    return () => controller.abort()
  }, [attempt])

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
