import { useEffect, useRef, useState } from 'react'
import { en } from '../../locales/en.ts'
import { migration as t } from '../../locales/migration.en.ts'
import { Button } from './Button.tsx'
import { GuardedButton } from './GuardedButton.tsx'

type Props = {
  label: string
  /** Explains what deleting the wallet does. */
  hints: readonly string[]
  onDrop: () => void
}

/** Requires the user to type the words before a wallet is deleted. */
export function DropWallet({ label, ...asked }: Props) {
  const [step, setStep] = useState<'closed' | 'asking' | 'canceled'>('closed')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (step === 'canceled') place.current?.querySelector('button')?.focus()
  }, [step])
  return (
    <div className="stack" ref={place}>
      {step === 'asking' ? (
        <Asking {...asked} onCancel={() => setStep('canceled')} />
      ) : (
        <Button kind="danger" onClick={() => setStep('asking')}>
          {label}
        </Button>
      )}
    </div>
  )
}

function Asking({ hints, onDrop, onCancel }: Omit<Props, 'label'> & { onCancel: () => void }) {
  const [typed, setTyped] = useState('')
  const card = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // It opens at the end of a long page, in the place of the pressed button.
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
    field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="sure" ref={card}>
      {hints.map((hint) => (
        <p key={hint} className="notice" data-level="danger">
          {hint}
        </p>
      ))}
      <label className="field">
        <span className="small quiet">{t.dropConfirm}</span>
        <input
          ref={field}
          value={typed}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <div className="pair">
        <Button kind="quiet" onClick={onCancel}>
          {en.common.cancel}
        </Button>
        <GuardedButton
          about={card}
          kind="danger"
          disabled={typed.trim() !== t.dropPhrase}
          onPress={onDrop}
        >
          {t.dropAction}
        </GuardedButton>
      </div>
    </div>
  )
}
