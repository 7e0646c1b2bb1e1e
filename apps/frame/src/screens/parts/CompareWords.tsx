import { useRef } from 'react'
import { account } from '../../locales/account.en.ts'
import { Button } from './Button.tsx'
import { GatedButton } from './GatedButton.tsx'

const t = account.devices

/**
 * Shows the words and asks whether the other screen shows the same. Confirming hands over or accepts a wallet.
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
  return (
    <div className="stack" ref={card}>
      <p className="words" dir="ltr">
        {words}
      </p>
      <div className="pair">
        <Button kind="quiet" disabled={busy} onClick={() => onAnswer(false)}>
          {t.different}
        </Button>
        <GatedButton about={card} busy={busy} onPress={() => onAnswer(true)}>
          {t.same}
        </GatedButton>
      </div>
    </div>
  )
}
