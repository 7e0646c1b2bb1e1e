import { useRef, useState } from 'react'
import { en } from '../../locales/en.ts'
import { fresh as t } from '../../locales/fresh.en.ts'
import { Button } from './Button.tsx'
import { GatedButton } from './GatedButton.tsx'

type Props = {
  label: string
  /** What dropping does. */
  hints: readonly string[]
  onDrop: () => void
}

/** Asks for the words before a wallet is deleted. */
export function DropWallet({ label, hints, onDrop }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const card = useRef<HTMLDivElement>(null)
  if (!isAsking)
    return (
      <Button kind="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  return (
    <div className="sure" ref={card}>
      {hints.map((hint) => (
        <p key={hint} className="notice" data-level="danger">
          {hint}
        </p>
      ))}
      <label className="field">
        <span className="small quiet">{t.dropConfirm}</span>
        <input value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
      </label>
      <div className="pair">
        <Button kind="quiet" onClick={() => setAsking(false)}>
          {en.common.cancel}
        </Button>
        <GatedButton
          about={card}
          kind="danger"
          disabled={typed.trim() !== t.dropPhrase}
          onPress={onDrop}
        >
          {t.dropAction}
        </GatedButton>
      </div>
    </div>
  )
}
