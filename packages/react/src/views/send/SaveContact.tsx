import { type ContactLookalike, isSameAddress, saveContact } from '@latchkey/core/internal'
import { useEffect, useId, useRef, useState } from 'react'
import { useAction } from '../../app/useAction.ts'
import { useContact } from '../../app/useContact.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import receiver from './ReceiverField.module.css'
import field from './Send.module.css'
import styles from './SendPreview.module.css'
import { useLookalike } from './useLookalike.ts'

/**
 * Offers to save the receiver of a transfer as a contact, unless it is a contact, an account of the
 * user, or an address that imitates a known address.
 */
export function SaveContact({ address }: { address: string }) {
  const t = useT(enHoldings)
  const contact = useContact(address)
  const isLookalike = useLookalike(address) !== undefined
  const { accounts } = useAccount()
  const [isOpen, setIsOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const isOwn = accounts.some((one) =>
    isSameAddress({ namespace: one.namespace, one: one.address, other: address }),
  )
  if (!isOpen && (contact || isLookalike || isOwn)) return null
  return (
    <div ref={place} className={styles.contact} tabIndex={-1}>
      {!isOpen && (
        <Button variant="text" onClick={() => setIsOpen(true)}>
          {t('contact.save')}
        </Button>
      )}
      {isOpen && !contact && (
        <ContactForm address={address} onSaved={() => place.current?.focus()} />
      )}
      {isOpen && contact && (
        <p className={styles.label} role="status">
          {t('contact.saved', { name: contact.name })}
        </p>
      )}
    </div>
  )
}

function ContactForm({ address, onSaved }: { address: string; onSaved: () => void }) {
  const getMessage = useErrorMessage()
  const t = useT(enHoldings)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [lookalike, setLookalike] = useState<ContactLookalike>()
  const { mutateAsync: save, data, error, reset, isPending } = useAction(saveContact)
  // Its button is gone, which had the focus.
  useEffect(() => input.current?.focus(), [])
  const problem =
    data && 'problem' in data ? t(`contact.${data.problem}`) : error ? getMessage(error) : ''
  const submit = async (accepted?: ContactLookalike) => {
    if (isPending) return
    const result = await save({ name, address, accepted }).catch(() => undefined)
    if (result && 'contact' in result) onSaved()
    if (result && 'lookalike' in result) setLookalike(result.lookalike)
  }
  return (
    <form
      className={field.field}
      data-wrong={problem !== '' || undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label className={field.label} htmlFor={id}>
        {t('contact.name')}
      </label>
      <div className={field.line}>
        <input
          ref={input}
          id={id}
          className={field.receiver}
          value={name}
          autoComplete="off"
          aria-invalid={problem !== '' || undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => {
            reset()
            setName(event.target.value)
          }}
        />
        <Button type="submit" variant="text" busy={isPending}>
          {t('contact.saveNow')}
        </Button>
      </div>
      <p id={`${id}-problem`} className={field.error} role="alert">
        {problem}
      </p>
      {lookalike && (
        <>
          <p className={receiver.lookalike} role="alert">
            {t('contact.lookalike', lookalike)}
          </p>
          <Button variant="danger" busy={isPending} onClick={() => submit(lookalike)}>
            {t('contact.saveAnyway')}
          </Button>
        </>
      )}
    </form>
  )
}
