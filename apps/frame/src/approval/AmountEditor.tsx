import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { edit as t } from '../locales/edit.en.ts'
import { fill } from '../locales/en.ts'
import { Button } from '../screens/parts/Button.tsx'
import type { EditableAmount } from './approvalView.ts'
import { formatEditedAmount, readAmount } from './readAmount.ts'

/**
 * Lets the user type another amount for an allowance; it takes effect only after the user has read
 * the new card.
 */
export function AmountEditor({
  editable,
  onChange,
  onCancel,
}: {
  editable: EditableAmount
  onChange: (amount: string) => void
  onCancel: () => void
}) {
  const { symbol, decimals } = editable
  const max = formatEditedAmount(BigInt(editable.max), decimals)
  const [typed, setTyped] = useState(
    () => formatEditedAmount(BigInt(editable.amount), decimals) ?? '',
  )
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const ids = { hint: useId(), problem: useId() }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    field.current?.select()
    // The buttons of the editor, which the bar of the card would cover.
    form.current?.scrollIntoView({ block: 'center' })
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const locales = navigator.languages
    const read = readAmount(typed, { decimals, max: BigInt(editable.max), locales })
    if ('amount' in read) {
      setBusy(true)
      return onChange(String(read.amount))
    }
    const [whole = '', fraction = ''] = read.readings ?? []
    setProblem(fill(t[read.problem], { symbol, decimals, max: max ?? '', whole, fraction }))
    field.current?.focus()
  }
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Cancels the edit, not the whole request.
        event.stopPropagation()
        if (!busy) onCancel()
      }}
    >
      <label className="field">
        <span className="small quiet">{fill(t.label, { symbol })}</span>
        <input
          ref={field}
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          readOnly={busy}
          aria-invalid={problem !== ''}
          aria-describedby={`${ids.problem} ${ids.hint}`}
          onChange={({ target }) => {
            setTyped(target.value)
            setProblem('')
          }}
        />
      </label>
      <p className="line" role="alert" id={ids.problem} data-level="danger">
        {problem}
      </p>
      <p className="small quiet" id={ids.hint}>
        {fill(max === undefined ? t.hint : t.hintMax, { max: max ?? '', symbol })}
      </p>
      <div className="pair">
        <Button kind="quiet" onClick={onCancel} disabled={busy}>
          {t.cancel}
        </Button>
        <Button type="submit" busy={busy}>
          {t.use}
        </Button>
      </div>
    </form>
  )
}
