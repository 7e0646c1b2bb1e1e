import { isError, type LatchkeyError } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { en } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { type PasskeyWindowPurpose, servePasskeys } from '../passkeyWindow.ts'
import { PasskeyScreen } from '../screens/PasskeyScreen.tsx'
import { renderPage } from './renderPage.tsx'
import { WindowEnd } from './WindowEnd.tsx'

/** How long the window stays open if its frame does not close it, in ms. */
const closeAfterMs = 2_000

type TaskResult = { result: unknown } | { error: LatchkeyError }
type Task = {
  readonly about: PasskeyWindowPurpose
  readonly work: () => Promise<TaskResult>
  readonly done: (outcome: TaskResult) => void
}

/**
 * The window that uses passkeys for a frame that may not. It accepts only an opener of the frame's
 * origin.
 */
function PasskeyPage({ opener }: { opener: Window }) {
  const [task, setTask] = useState<Task>()
  useEffect(() => {
    /**
     * Waits for the press: browsers only prompt for a passkey during a press. The user may try
     * again, other errors end the window.
     */
    const ask = <Result,>(about: PasskeyWindowPurpose, use: () => Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        let result: Result
        const work = async (): Promise<TaskResult> => {
          try {
            result = await use()
            return { result }
          } catch (error) {
            if (isError(error, 'USER_REJECTED')) throw error
            return { error: error as LatchkeyError }
          }
        }
        const done = (outcome: TaskResult) => {
          if ('error' in outcome) reject(outcome.error)
          else resolve(result)
          setTimeout(() => window.close(), closeAfterMs)
        }
        setTask({ about, work, done })
      })
    return servePasskeys(opener, ask)
  }, [opener])
  if (!task) return <p className="quiet">{en.common.loading}</p>
  return (
    <>
      <h1>{pages.passkey.title}</h1>
      <PasskeyScreen
        {...task.about}
        label={en.common.continue}
        work={task.work}
        done={task.done}
        fail={() => {}}
      />
    </>
  )
}

const { opener } = window
renderPage(
  opener ? <PasskeyPage opener={opener as Window} /> : <WindowEnd text={pages.passkey.alone} />,
)
