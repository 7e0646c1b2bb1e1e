import {
  type Contact,
  type ContactLookalike,
  type SavedContact,
  useContacts,
} from '@latchkey/react'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { text } from '../locales/text.ts'
import { ContactsLookalike } from './ContactsLookalike.tsx'

/** Why a contact was not saved. */
export type ContactFailure = Extract<SavedContact, { problem: string }>['problem'] | 'failed'

/** The fields of a new contact, or of the contact `before`. */
export function ContactsForm({
  before,
  onSaved,
  onCancel,
}: {
  before?: Contact
  onSaved: (saved: Contact) => void
  onCancel?: () => void
}) {
  const id = useId()
  const { save } = useContacts()
  const first = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(before?.name ?? '')
  const [address, setAddress] = useState(before?.address ?? '')
  const [problem, setProblem] = useState<ContactFailure>()
  const [lookalike, setLookalike] = useState<ContactLookalike>()
  const [isBusy, setIsBusy] = useState(false)
  // The button that opened the form is gone.
  useEffect(() => {
    if (before) first.current?.focus()
  }, [before])

  async function submit(accepted?: ContactLookalike) {
    if (isBusy) return
    setIsBusy(true)
    const saved = await save({ name, address, before, accepted }).catch(() => ({
      problem: 'failed' as const,
    }))
    setIsBusy(false)
    if ('problem' in saved) return setProblem(saved.problem)
    if ('lookalike' in saved) return setLookalike(saved.lookalike)
    setName('')
    setAddress('')
    setLookalike(undefined)
    first.current?.focus()
    onSaved(saved.contact)
  }

  const field = problem && getField(problem)
  return (
    <form
      className="contactForm"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        ref={first}
        label={text('contacts.name')}
        value={name}
        problem={field === 'name' ? problem : undefined}
        onChange={(typed) => {
          setName(typed)
          setProblem(undefined)
        }}
      />
      <TextField
        label={text('contacts.address')}
        value={address}
        isCode
        problem={field === 'address' ? problem : undefined}
        onChange={(typed) => {
          setAddress(typed)
          setProblem(undefined)
          setLookalike(undefined)
        }}
      />
      <div className="contactActions">
        <button
          type="submit"
          className="button"
          data-look="main"
          aria-disabled={isBusy}
          aria-describedby={`${id}problem`}
        >
          {text(before ? 'contacts.save' : 'contacts.add')}
        </button>
        {onCancel && (
          <button type="button" className="button" onClick={onCancel}>
            {text('contacts.cancel')}
          </button>
        )}
      </div>
      <p id={`${id}problem`} className="small problem" role="alert">
        {problem && field === undefined && text(`contactProblem.${problem}`)}
      </p>
      <div role="alert">
        {lookalike && <ContactsLookalike lookalike={lookalike} onSave={() => submit(lookalike)} />}
      </div>
    </form>
  )
}

/** The field that a problem is about, if it is about a single field. */
function getField(problem: ContactFailure): 'name' | 'address' | undefined {
  if (problem.startsWith('name')) return 'name'
  return problem.startsWith('address') ? 'address' : undefined
}

function TextField({
  ref,
  label,
  value,
  isCode = false,
  problem,
  onChange,
}: {
  ref?: Ref<HTMLInputElement>
  label: string
  value: string
  /** Whether letters matter, and not words. */
  isCode?: boolean
  problem: ContactFailure | undefined
  onChange: (typed: string) => void
}) {
  const id = useId()
  return (
    <div className="contactField">
      <label className="field" htmlFor={id}>
        {label}
        <input
          ref={ref}
          id={id}
          value={value}
          autoComplete="off"
          {...(isCode && { autoCapitalize: 'none', spellCheck: false, dir: 'ltr' })}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}problem`}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <p id={`${id}problem`} className="small problem" role="alert">
        {problem && text(`contactProblem.${problem}`)}
      </p>
    </div>
  )
}
