import { type FormEvent, useEffect, useRef, useState } from 'react'
import { account } from '../../locales/account.en.ts'
import { Button } from './Button.tsx'

const t = account.recover

/** A form for the seven groups of a printed kit. */
export function RecoveryKitForm({
  label = t.kitLabel,
  action,
  busyLabel = t.opening,
  busy,
  problem,
  onSubmit,
  isFirst = false,
}: {
  label?: string
  action: string
  busyLabel?: string
  busy: boolean
  problem: string
  onSubmit: (kit: string) => void
  /** Whether it is the first field of the screen, which then gets the focus. */
  isFirst?: boolean
}) {
  const [kit, setKit] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFirst) field.current?.focus()
  }, [isFirst])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && kit.trim() !== '') onSubmit(kit)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span className="small quiet">{label}</span>
        <textarea
          ref={field}
          rows={2}
          dir="ltr"
          value={kit}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          aria-invalid={problem !== ''}
          onChange={({ target }) => setKit(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // A kit is a single line.
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      </label>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <Button type="submit" busy={busy} disabled={kit.trim() === ''}>
        {busy ? busyLabel : action}
      </Button>
    </form>
  )
}
