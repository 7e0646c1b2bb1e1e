import { findAccount, useApp } from '@latchkey/react'
import { type FormEvent, useId, useState } from 'react'
import { text } from '../locales/text.ts'
import { maxWatched, readWatched, watch } from './watched.ts'

type Problem =
  | 'watch.invalid'
  | 'watch.mistyped'
  | 'watch.failed'
  | 'watch.notStored'
  | 'watch.full'
  | 'watch.known'

/** The field for an address or a name to watch. */
export function WatchForm() {
  const app = useApp()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()

  async function add(): Promise<Problem | undefined> {
    const account = await findAccount(app, typed).catch(() => 'watch.failed' as const)
    if (account === undefined) return 'watch.invalid'
    if (account === 'mistyped') return 'watch.mistyped'
    if (account === 'watch.failed') return account
    const before = readWatched()
    if (before.some(({ address }) => address === account.address)) return 'watch.known'
    if (before.length >= maxWatched) return 'watch.full'
    try {
      watch(account)
    } catch {
      return 'watch.notStored'
    }
    setTyped('')
    return undefined
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (typed.trim() === '') return setProblem('watch.invalid')
    setIsBusy(true)
    setProblem(await add())
    setIsBusy(false)
  }

  return (
    <form className="card watchForm" onSubmit={submit}>
      <label className="field" htmlFor={id}>
        {text('watch.field')}
        <input
          id={id}
          value={typed}
          placeholder={text('watch.example')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}problem`}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
          }}
        />
      </label>
      <button type="submit" className="button" data-look="main" aria-disabled={isBusy}>
        {text(isBusy ? 'watch.adding' : 'watch.add')}
      </button>
      <p id={`${id}problem`} className="small problem" role="alert">
        {problem && text(problem, { count: maxWatched })}
      </p>
    </form>
  )
}
