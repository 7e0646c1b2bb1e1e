import type { Contact } from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { Logo } from '../parts/Logo.tsx'
import { ContactsForm } from './ContactsForm.tsx'
import { ContactsSend } from './ContactsSend.tsx'

/** A contact with its whole address, or the form that changes it. */
export function ContactsRow({
  contact,
  onClose,
  onSaved,
  onRemove,
}: {
  contact: Contact
  /** The form was closed. */
  onClose: () => void
  onSaved: (saved: Contact) => void
  onRemove: () => void
}) {
  const [isEditing, setIsEditing] = useState(false)
  const { name, address } = contact
  const close = () => {
    setIsEditing(false)
    onClose()
  }
  if (isEditing)
    return (
      <li className="contactEdit">
        <ContactsForm
          before={contact}
          onCancel={close}
          onSaved={(saved) => {
            close()
            onSaved(saved)
          }}
        />
      </li>
    )
  return (
    <li className="contactRow">
      <Logo src={undefined} name={name} />
      <div className="contactFacts">
        <h3>
          <bdi translate="no">{name}</bdi>
        </h3>
        <bdi className="small quiet" translate="no">
          {address}
        </bdi>
      </div>
      <div className="contactActions">
        <ContactsSend contact={contact} />
        <button
          type="button"
          className="button"
          aria-label={text('contacts.editNamed', { name })}
          onClick={() => setIsEditing(true)}
        >
          {text('contacts.edit')}
        </button>
        <button
          type="button"
          className="button"
          aria-label={text('contacts.removeNamed', { name })}
          onClick={onRemove}
        >
          {text('contacts.remove')}
        </button>
      </div>
    </li>
  )
}
