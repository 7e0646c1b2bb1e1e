import { type MouseEvent, useRef } from 'react'
import { useGate } from '../approval/useGate.ts'
import { account } from '../locales/account.en.ts'
import { Button } from './Button.tsx'

const t = account.devices
const wordsSize = { width: 300, height: 240 }

/**
 * Shows the words and asks whether the other screen shows the same. Confirming hands over or accepts a wallet, so it
 * counts only while the browser vouches that both are visible; a browser that cannot report this is trusted.
 */
export function CompareWords({
  words,
  busy,
  onAnswer,
}: {
  words: string
  busy: boolean
  onAnswer: (same: boolean) => void
}) {
  const card = useRef<HTMLDivElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  const { gate, state } = useGate([card, confirm], wordsSize)
  const shut = state === 'covered' || state === 'settling'
  const same = (event: MouseEvent) => {
    const isVisible = state === 'unproven' || gate.current?.check() === true
    if (event.nativeEvent.isTrusted && isVisible && !busy) onAnswer(true)
  }
  return (
    <div className="stack" ref={card}>
      <p className="words" dir="ltr">
        {words}
      </p>
      <p className="small quiet" role="status">
        {state === 'covered' ? t.covered : ''}
      </p>
      <div className="pair">
        <Button kind="quiet" disabled={busy} onClick={() => onAnswer(false)}>
          {t.different}
        </Button>
        <button
          type="button"
          ref={confirm}
          className="button"
          data-kind="main"
          aria-busy={busy}
          aria-disabled={busy || shut}
          onClick={same}
        >
          <span>{t.same}</span>
        </button>
      </div>
    </div>
  )
}
