import { type ContactsImport, useContacts } from '@latchkey/react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { text } from '../locales/text.ts'

/** Enough of a file to see that it is too large. */
const readBytes = 1_000_000
/** How many refused entries are listed. */
const maxListed = 20
/** How long a browser has to start a download. */
const revokeMs = 10_000

type Outcome =
  | ContactsImport
  | Extract<Awaited<ReturnType<ReturnType<typeof useContacts>['importJson']>>, { problem: string }>
  | { problem: 'failed' }

/** The contacts as a file: a download of all, and an upload that adds the contacts of another. */
export function ContactsFile() {
  const id = useId()
  const { contacts, exportJson, importJson } = useContacts()
  const input = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<Outcome>()
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    const load = async () => importJson(await file.slice(0, readBytes).text())
    setOutcome(await load().catch(() => ({ problem: 'failed' as const })))
    // The same file can be chosen again.
    target.value = ''
  }
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{text('contacts.file')}</h2>
      <p className="quiet">{text('contacts.fileText')}</p>
      <div className="contactActions">
        {contacts.length > 0 && (
          <button type="button" className="button" onClick={() => download(exportJson())}>
            {text('contacts.export')}
          </button>
        )}
        <button type="button" className="button" onClick={() => input.current?.click()}>
          {text('contacts.import')}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label={text('contacts.importFile')}
          onChange={read}
        />
      </div>
      <div role="status">{outcome && <OutcomeText outcome={outcome} />}</div>
    </section>
  )
}

function OutcomeText({ outcome }: { outcome: Outcome }) {
  if ('problem' in outcome)
    return <p className="small problem">{text(`contactProblem.${outcome.problem}`)}</p>
  const { added, refused } = outcome
  return (
    <>
      <p className="notice">{text('contacts.imported', { added, refused: refused.length })}</p>
      <ul className="contactRefused small">
        {refused.slice(0, maxListed).map(({ name, address, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <bdi translate="no">{name || address || text('contacts.unnamed')}</bdi>
            <span className="quiet">{text(`contactProblem.${reason}`)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function download(json: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'latchkey-contacts.json'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), revokeMs)
}
