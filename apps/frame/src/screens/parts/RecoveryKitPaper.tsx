import { type FormEvent, useEffect, useRef, useState } from 'react'
import { en, fill } from '../../locales/en.ts'
import { Button } from './Button.tsx'

const t = en.kit

type KitProgress = {
  busy: boolean
  problem: string
  onKept: () => void
}

/** Shows a kit, then hides it, and continues when the user has typed the requested group. */
export function RecoveryKitPaper({ kit, ...progress }: { kit: string } & KitProgress) {
  const groups = kit.split('-')
  const [place, setPlace] = useState<number>()
  const lead = useRef<HTMLParagraphElement>(null)
  const showAgain = () => {
    setPlace(undefined)
    // The pressed button is gone.
    lead.current?.focus()
  }
  return (
    <div className="stack">
      <p className="lead" ref={lead} tabIndex={-1}>
        {place === undefined ? t.lead : t.checkLead}
      </p>
      {place === undefined && progress.problem && (
        <p className="notice no-print" data-level="danger" role="alert">
          {progress.problem}
        </p>
      )}
      {place === undefined ? (
        <>
          <p className="kit" dir="ltr" role="img" aria-label={`${t.label}: ${groups.join(', ')}`}>
            {groups.map((group) => (
              <span key={group}>{group}</span>
            ))}
          </p>
          <button type="button" className="link no-print" onClick={() => window.print()}>
            {t.print}
          </button>
          <Button onClick={() => setPlace(pickPlace(groups.length))}>{t.confirm}</Button>
        </>
      ) : (
        <GroupCheck {...{ groups, place, showAgain }} {...progress} />
      )}
    </div>
  )
}

type GroupCheckProps = KitProgress & {
  groups: readonly string[]
  /** The place of the requested group, from 0. */
  place: number
  showAgain: () => void
}

function GroupCheck({ groups, place, showAgain, busy, problem, onKept }: GroupCheckProps) {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const right = typed.trim().toUpperCase() === groups[place]
    setWrong(!right)
    if (right) onKept()
  }
  const n = place + 1
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span className="small quiet">{fill(t.check, { n, count: groups.length })}</span>
        <input
          ref={field}
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
        {wrong ? fill(t.checkWrong, { n }) : problem}
      </p>
      <Button type="submit" busy={busy}>
        {en.common.continue}
      </Button>
      <button type="button" className="link" disabled={busy} onClick={showAgain}>
        {t.showAgain}
      </button>
    </form>
  )
}

/** A random place, so that only the whole kit answers each question. */
const pickPlace = (count: number) => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % count
