import { useEffect, useState } from 'react'
import { fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import { Button } from './parts/Button.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

const t = pages.export

/**
 * Shows the words only while a button is held. Each time they are requested again, and they are
 * removed from the page in between.
 */
export function PhraseScreen({
  load,
  done,
}: { load: () => Promise<string> } & ScreenCallbacks<void>) {
  const [held, setHeld] = useState(false)
  const [words, setWords] = useState<readonly string[]>([])
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (!held) return setWords([])
    let over = false
    load().then(
      (text) => over || setWords(text.split(' ')),
      (error: unknown) => over || setProblem(getErrorMessage(error)),
    )
    return () => {
      over = true
      setWords([])
    }
  }, [held, load])
  useEffect(() => {
    const hide = () => setHeld(false)
    window.addEventListener('blur', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('blur', hide)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [])
  const release = () => setHeld(false)
  return (
    <div className="stack">
      <p className="notice" data-level="danger">
        {t.lead}
      </p>
      <ol className="phrase" dir="ltr" aria-label={words.length ? t.title : t.hidden}>
        {Array.from({ length: 24 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: 24 places
          <li key={index} aria-label={fill(t.word, { n: index + 1 })}>
            {words[index] ?? '••••'}
          </li>
        ))}
      </ol>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <div className="bar pair">
        <button
          type="button"
          className="button"
          data-kind="main"
          onPointerDown={() => setHeld(true)}
          onPointerUp={release}
          onPointerLeave={release}
          onPointerCancel={release}
          onKeyDown={({ key, repeat }) => key === ' ' && !repeat && setHeld(true)}
          onKeyUp={release}
          onContextMenu={(event) => event.preventDefault()}
        >
          <span>{t.hold}</span>
        </button>
      </div>
      <Button kind="quiet" onClick={() => done()}>
        {t.wipe}
      </Button>
    </div>
  )
}
