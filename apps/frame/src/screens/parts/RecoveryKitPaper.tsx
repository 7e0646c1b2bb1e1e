import { type FormEvent, useState } from 'react'
import { en } from '../../locales/en.ts'
import { Button } from './Button.tsx'

const t = en.kit

/** Shows a kit once; continues when the user has typed its last group. */
export function RecoveryKitPaper({
  kit,
  busy,
  problem,
  onKept,
}: {
  kit: string
  busy: boolean
  problem: string
  onKept: () => void
}) {
  const groups = kit.split('-')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const right = typed.trim().toUpperCase() === groups.at(-1)
    setWrong(!right)
    if (right) onKept()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="lead">{t.lead}</p>
      <p className="kit" dir="ltr" role="img" aria-label={`${t.label}: ${groups.join(', ')}`}>
        {groups.map((group) => (
          <span key={group}>{group}</span>
        ))}
      </p>
      <button type="button" className="link no-print" onClick={() => window.print()}>
        {t.print}
      </button>
      <label className="field no-print">
        <span className="small quiet">{t.check}</span>
        <input
          value={typed}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={wrong}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <p className="line" role="status" data-level="danger">
        {wrong ? t.checkWrong : problem}
      </p>
      <Button type="submit" busy={busy}>
        {t.confirm}
      </Button>
    </form>
  )
}
