import {
  type App,
  findWrongCharacter,
  getPendingEmail,
  isEmail,
  loginEmail,
} from '@latchkey/core/internal'
import { isError, unwrapEmail } from '@latchkey/wire'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useOwnRequest } from '../../app/useOwnRequest.ts'
import { useSecondsUntil } from '../../app/useSecondsUntil.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import views from '../view.module.css'
import styles from './EmailForm.module.css'
import { PasskeyButtons } from './PasskeyButtons.tsx'
import { useWaitText } from './useLoginProblem.ts'

/** After this time, the form names the host that it waits for. */
const slowMs = 4_000

type Problem = { text: string } | { waitUntilMs: number }

/**
 * The part of the Connect view for a login by email, and for passkeys. Without email, it has only
 * the passkeys.
 */
export function EmailPart({ disabled }: { disabled: boolean }) {
  const app = useApp()
  const t = useT(enLogin)
  return (
    <div className={styles.part}>
      {app.config.login.email && (
        <EmailForm
          label={t('email.label')}
          placeholder={t('email.placeholder')}
          submitLabel={t('email.submit')}
          disabled={disabled}
          initial={getPendingEmail(app)}
          onSubmit={(email, signal) => loginEmail(app, { email, signal })}
        />
      )}
      <PasskeyButtons disabled={disabled} />
    </div>
  )
}

/** A field for an email address with its error below. Leaving the view cancels the request. */
export function EmailForm({
  label,
  placeholder,
  submitLabel,
  disabled = false,
  initial = '',
  refuse,
  onSubmit,
  children,
}: {
  label: string
  placeholder: string
  submitLabel: string
  disabled?: boolean
  /** The suggested address. */
  initial?: string | undefined
  /** Returns the problem of a well-formed address. */
  refuse?: (email: string) => string | undefined
  onSubmit: (email: string, signal: AbortSignal) => Promise<void>
  /** Replaces the arrow with other buttons. */
  children?: (isPending: boolean) => ReactNode
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const getWaitText = useWaitText()
  const t = useT(enLogin)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const begin = useOwnRequest()
  const [email, setEmail] = useState(initial)
  const [isPending, setIsPending] = useState(false)
  const isSlow = useDebounced(isPending, slowMs) && isPending
  const [problem, setProblem] = useState<Problem>()
  const seconds = useSecondsUntil(problem && 'waitUntilMs' in problem ? problem.waitUntilMs : 0)

  const problemText =
    problem === undefined || 'text' in problem
      ? problem?.text
      : seconds > 0
        ? getWaitText(seconds)
        : undefined

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isPending || disabled || seconds > 0) return
    const typed = unwrapEmail(email)
    const wrong = isEmail(typed) ? refuse?.(typed) : describeWrong(typed)
    if (wrong !== undefined) {
      setProblem({ text: wrong })
      input.current?.focus()
      return
    }
    const { signal } = begin()
    setIsPending(true)
    setProblem(undefined)
    try {
      await onSubmit(typed, signal)
    } catch (error) {
      if (!signal.aborted) setProblem(toProblem(error))
    } finally {
      setIsPending(false)
    }
  }

  const describeWrong = (typed: string) => {
    const sign = findWrongCharacter(typed)
    if (sign === undefined) return t('email.invalid')
    if (sign === ' ') return t('email.space')
    return /[\s\p{C}]/u.test(sign) ? t('email.unseen') : t('email.sign', { sign })
  }

  const toProblem = (error: unknown): Problem => {
    if (isError(error, 'LOGIN_THROTTLED'))
      return { waitUntilMs: app.environment.now() + Number(error.data.seconds) * 1000 }
    if (isError(error, 'EMAIL_INVALID')) return { text: t('email.invalid') }
    return { text: isError(error) ? getMessage(error) : t('shell.viewBroke') }
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <div
        className={styles.field}
        data-wrong={problemText !== undefined || undefined}
        data-disabled={disabled || undefined}
      >
        <Icon name="mail" />
        <input
          ref={input}
          type="email"
          name="email"
          dir="ltr"
          aria-label={label}
          aria-invalid={problemText !== undefined}
          aria-describedby={`${id}-problem`}
          placeholder={placeholder}
          value={email}
          readOnly={isPending}
          disabled={disabled}
          onChange={(event) => {
            setEmail(event.target.value)
            setProblem((now) => (now && 'text' in now ? undefined : now))
          }}
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="email"
          enterKeyHint="go"
        />
        {!children && (
          <button
            type="submit"
            className={styles.go}
            aria-label={submitLabel}
            aria-busy={isPending || undefined}
            aria-disabled={isPending || seconds > 0 || undefined}
            disabled={disabled}
            data-ready={email.includes('@') || undefined}
          >
            {isPending ? (
              <span className={styles.spinner} aria-hidden="true" />
            ) : (
              <Icon name="forward" />
            )}
          </button>
        )}
      </div>
      <p id={`${id}-problem`} className={styles.problem} role="alert">
        {problemText}
      </p>
      <p className={isSlow ? styles.waiting : views.hidden} role="status">
        {isPending && t(isSlow ? 'email.slow' : 'email.opening', { host: getHost(app) })}
      </p>
      {children?.(isPending)}
    </form>
  )
}

const getHost = ({ config }: App) => new URL(config.frameUrl ?? location.href).host
