import { cleanLabel, nameProblem, registerReviewedName, replaceView } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { refreshNames, suggestionsQuery } from '../../app/queries/nameQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enNames } from '../../locales/enNames.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Row, Tag } from '../../parts/Row.tsx'
import { RecoveryFirst } from '../recovery/RecoveryFirst.tsx'
import viewStyles from '../view.module.css'
import styles from './names.module.css'

/** Milliseconds without typing before a name is looked up. */
const lookUpWaitMs = 300

/**
 * Registers a name: looks up the typed name, suggests available names, and has the account sign for
 * the chosen name.
 */
export const RegisterAccountName = () => (
  <RecoveryFirst>
    <NameForm />
  </RecoveryFirst>
)

function NameForm() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enNames)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [label, setLabel] = useState('')
  const [wrong, setWrong] = useState<string>()
  const settled = useDebounced(label, lookUpWaitMs)
  const { mutateAsync: run, status } = useAction(registerReviewedName)
  const isBusy = status === 'pending'
  const problem = nameProblem(label)
  const asked = nameProblem(settled) ? '' : settled
  const query = useQuery(suggestionsQuery(app, { label: asked }), getQueryClient(app))
  const zone = query.data?.zone ?? ''
  const isCurrent = asked === label && query.data !== undefined
  const [exact, ...others] = isCurrent ? query.data.names : []
  const isLooking = problem === undefined && !isCurrent && !query.isError

  const write = (text: string) => {
    setLabel(cleanLabel(text))
    setWrong(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (problem !== undefined) {
      setWrong(t(`register.${problem}`))
      input.current?.focus()
      return
    }
    if (zone === '' || exact?.registered) return
    setWrong(undefined)
    try {
      const { name } = await run({ label, zone })
      await refreshNames(app)
      const { history } = app.store.getState().modal
      if (history.at(-1)?.name === 'RegisterAccountName')
        replaceView(app, { name: 'RegisterAccountNameSuccess', accountName: name })
    } catch (error) {
      setWrong(isError(error, 'USER_REJECTED') ? t('name.declined') : getMessage(error))
      await refreshNames(app)
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={viewStyles.intro}>{t('register.free')}</p>
      <div className={styles.field} data-wrong={wrong !== undefined || undefined}>
        <input
          ref={input}
          dir="ltr"
          aria-label={t('register.label')}
          aria-describedby={`${id}-note`}
          aria-invalid={wrong !== undefined}
          placeholder={t('register.placeholder')}
          value={label}
          readOnly={isBusy}
          onChange={(event) => write(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
        />
        <span className={styles.zone} dir="ltr">
          {zone && `.${zone}`}
        </span>
      </div>
      <p id={`${id}-note`} className={styles.note} data-wrong={wrong !== undefined || undefined}>
        <span role="alert">{wrong}</span>
        {wrong === undefined && <span>{t('register.hint')}</span>}
      </p>
      <div role="status" aria-label={t('register.suggestions')} className={viewStyles.column}>
        {query.isError && (
          <p className={viewStyles.inlineError}>
            {t('register.lookFailed')}
            <button type="button" className={viewStyles.link} onClick={() => query.refetch()}>
              {t('action.tryAgain')}
            </button>
          </p>
        )}
        {isLooking && <p className={styles.note}>{t('register.looking')}</p>}
        {exact && (
          <Suggestion
            {...exact}
            isChosen
            onChoose={() => input.current?.focus()}
            disabled={isBusy}
          />
        )}
        {others.map((other) => (
          <Suggestion
            key={other.name}
            {...other}
            disabled={isBusy}
            onChoose={() => {
              write(other.name.slice(0, -zone.length - 1))
              input.current?.focus()
            }}
          />
        ))}
      </div>
      <Button type="submit" busy={isBusy} aria-disabled={!exact || exact.registered || undefined}>
        {exact && !exact.registered
          ? t('register.submitName', { name: exact.name })
          : t('register.submit')}
      </Button>
      <p className={styles.note} role="status">
        {isBusy && t('register.signing')}
      </p>
    </form>
  )
}

function Suggestion({
  name,
  registered,
  isChosen = false,
  onChoose,
  disabled,
}: {
  name: string
  registered: boolean
  isChosen?: boolean
  onChoose: () => void
  disabled: boolean
}) {
  const t = useT(enNames)
  return (
    <Row
      label={<bdi translate="no">{name.slice(0, name.indexOf('.'))}</bdi>}
      end={
        <Tag tone={registered ? 'danger' : 'accent'}>
          {t(registered ? 'register.registered' : 'register.available')}
        </Tag>
      }
      aria-pressed={isChosen}
      disabled={disabled || registered}
      onClick={onChoose}
    />
  )
}
