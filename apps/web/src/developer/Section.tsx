import { useRemoteWallet } from '@latchkey/react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { text } from '../locales/text.ts'
import { describeError } from './describeError.ts'
import type { Call } from './useCall.ts'

/** One call of the page: its description, its form, and its result. */
export function Section<Result>({
  title,
  detail,
  submit,
  call,
  onSubmit,
  children,
  show,
}: {
  title: string
  detail: string
  submit: string
  call: Call<Result>
  onSubmit: () => void
  children?: ReactNode
  show: (result: Result) => ReactNode
}) {
  const id = useId()
  const isRunning = call.status === 'running'
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isRunning) onSubmit()
  }
  return (
    <section className="card call" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="quiet small">{detail}</p>
      <form onSubmit={send} noValidate>
        {children}
        <button
          type="submit"
          className="button"
          data-look="main"
          aria-disabled={isRunning || undefined}
          aria-busy={isRunning || undefined}
        >
          {submit}
        </button>
      </form>
      <div className="outcome" aria-live="polite">
        {call.status === 'running' && <p className="quiet small">{call.note}</p>}
        {call.status === 'running' && <Elsewhere />}
        {call.status === 'failed' && <Failure error={call.error} />}
        {call.status === 'done' && show(call.result)}
      </div>
    </section>
  )
}

/** Points to the wallet if it is not in this browser. */
function Elsewhere() {
  const remote = useRemoteWallet()
  if (!remote) return null
  const { name, isHere, open } = remote
  if (open)
    return (
      <button type="button" className="button" onClick={open}>
        {text('dev.openWallet', { name })}
      </button>
    )
  return (
    <p className="quiet small">{text(isHere ? 'dev.openWallet' : 'dev.openOnPhone', { name })}</p>
  )
}

function Failure({ error }: { error: unknown }) {
  const { message, detail } = describeError(error)
  return (
    <div className="failure">
      <p>{message}</p>
      {detail && <p className="code small">{detail}</p>}
    </div>
  )
}

/** A named value that the user can copy. */
export function Value({ name, value }: { name: string; value: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className="value">
      <div className="valueHead">
        <span className="quiet small">{name}</span>
        <button
          type="button"
          className="textButton"
          aria-label={`${text('dev.copy')} ${name}`}
          onClick={copy}
          onBlur={() => setCopied(false)}
        >
          {copied ? text('dev.copied') : text('dev.copy')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable
          by keyboard */}
      <pre className="code" tabIndex={0}>
        {value}
      </pre>
    </div>
  )
}

/** A field with its label above it. */
export const Field = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label className="field">
    <span>{label}</span>
    {children}
  </label>
)
