import { type Contact, type ContactLookalike, useContacts } from '@latchkey/react'
import { useId, useRef, useState } from 'react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { ContactsFile } from './ContactsFile.tsx'
import { type ContactFailure, ContactsForm } from './ContactsForm.tsx'
import { ContactsLookalike } from './ContactsLookalike.tsx'
import { ContactsRow } from './ContactsRow.tsx'

type Notice =
  | { saved: Contact }
  | { removed: Contact; lookalike?: ContactLookalike }
  | { problem: ContactFailure }

/** The contacts of this browser: add, find, change and remove them, and move them with a file. */
export function Contacts() {
  const id = useId()
  const { contacts, remove, save } = useContacts()
  const [search, setSearch] = useState('')
  const [notice, setNotice] = useState<Notice>()
  const heading = useRef<HTMLHeadingElement>(null)
  const found = contacts.filter((contact) => isMatch(contact, search))
  // What had the focus is gone.
  const focusHeading = () => heading.current?.focus()
  const undo = async (removed: Contact, accepted?: ContactLookalike) => {
    focusHeading()
    const { name, address } = removed
    const saved = await save({ name, address, accepted }).catch(() => ({
      problem: 'failed' as const,
    }))
    if ('contact' in saved) setNotice({ saved: saved.contact })
    else setNotice('problem' in saved ? saved : { removed, ...saved })
  }
  return (
    <div className="narrow contacts">
      <div className="pageHead">
        <h1>{text('contacts.title')}</h1>
        <p className="quiet">{text('contacts.text')}</p>
      </div>
      <section className="card" aria-label={text('contacts.add')}>
        <ContactsForm onSaved={(saved) => setNotice({ saved })} />
      </section>
      <section className="card list" aria-labelledby={id}>
        <div className="listHead">
          <h2 id={id} ref={heading} tabIndex={-1}>
            {text('contacts.list')}
          </h2>
          {contacts.length > 0 && (
            <input
              type="search"
              className="search"
              aria-label={text('contacts.search')}
              placeholder={text('contacts.search')}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          )}
        </div>
        <div role="status">{notice && <NoticeText notice={notice} onUndo={undo} />}</div>
        {contacts.length === 0 && (
          <div className="empty">
            <Glyph name="person" size={28} />
            <p>{text('contacts.empty')}</p>
            <p className="quiet small">{text('contacts.emptyText')}</p>
          </div>
        )}
        {contacts.length > 0 && found.length === 0 && (
          <p className="quiet">{text('contacts.noMatch')}</p>
        )}
        <ul>
          {found.map((contact) => (
            <ContactsRow
              key={`${contact.namespace} ${contact.address}`}
              contact={contact}
              onClose={focusHeading}
              onSaved={(saved) => setNotice({ saved })}
              onRemove={() => {
                remove(contact)
                setNotice({ removed: contact })
                focusHeading()
              }}
            />
          ))}
        </ul>
      </section>
      <ContactsFile />
    </div>
  )
}

function isMatch({ name, address }: Contact, search: string): boolean {
  const word = search.trim().toLowerCase()
  return name.toLowerCase().includes(word) || address.toLowerCase().includes(word)
}

function NoticeText({
  notice,
  onUndo,
}: {
  notice: Notice
  onUndo: (removed: Contact, accepted?: ContactLookalike) => void
}) {
  if ('problem' in notice)
    return <p className="notice problem">{text(`contactProblem.${notice.problem}`)}</p>
  if ('removed' in notice) {
    const { removed, lookalike } = notice
    if (lookalike)
      return <ContactsLookalike lookalike={lookalike} onSave={() => onUndo(removed, lookalike)} />
    return (
      <div className="notice contactNotice">
        <p>{text('contacts.removed', { name: removed.name })}</p>
        <button type="button" className="button" onClick={() => onUndo(removed)}>
          {text('contacts.undo')}
        </button>
      </div>
    )
  }
  return <p className="notice">{text('contacts.saved', { name: notice.saved.name })}</p>
}
