import type { ContactLookalike } from '@latchkey/react'
import { text } from '../locales/text.ts'

/** The warning that an address looks like a known one, with the button that saves it anyway. */
export function ContactsLookalike({
  lookalike: { address, known },
  onSave,
}: {
  lookalike: ContactLookalike
  onSave: () => void
}) {
  return (
    <div className="contactLookalike">
      <p className="problem">{text('contacts.lookalike')}</p>
      <dl>
        <dt className="small quiet">{text('contacts.lookalikeAddress')}</dt>
        <dd>
          <bdi translate="no">{address}</bdi>
        </dd>
        <dt className="small quiet">{text('contacts.lookalikeKnown')}</dt>
        <dd>
          <bdi translate="no">{known}</bdi>
        </dd>
      </dl>
      <button type="button" className="button" onClick={onSave}>
        {text('contacts.saveAnyway')}
      </button>
    </div>
  )
}
