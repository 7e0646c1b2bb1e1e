import { sanitizeText } from '@latchkey/wire'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

/** The requester and the request; `note` states whether the requester is verified. */
export function Sheet({
  origin,
  note,
  title,
  children,
}: {
  origin: string
  note?: string | undefined
  title: string
  children: ReactNode
}) {
  return (
    <>
      <p className="origin">
        <strong data-testid="origin">{sanitizeText(origin)}</strong> {texts.asks}
        {note !== undefined && <small data-testid="note">{sanitizeText(note)}</small>}
      </p>
      <h2 className="title" tabIndex={-1} aria-live="polite" data-testid="title">
        {title}
      </h2>
      {children}
    </>
  )
}

/** The reject button and further choices. */
export function Choice({
  onReject,
  disabled = false,
  children,
}: {
  onReject: () => void
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <div className="choice">
      <button type="button" data-testid="reject" disabled={disabled} onClick={onReject}>
        {texts.reject}
      </button>
      {children}
    </div>
  )
}

/** The approve button. */
export function ApproveButton({
  onApprove,
  disabled = false,
}: {
  onApprove: () => void
  disabled?: boolean
}) {
  return (
    <button
      type="button"
      className="primary"
      data-testid="approve"
      disabled={disabled}
      // The second half of a double click is not meant for the request that has just appeared.
      onClick={(event) => event.detail < 2 && onApprove()}
    >
      {texts.approve}
    </button>
  )
}
