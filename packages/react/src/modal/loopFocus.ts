import type { KeyboardEvent } from 'react'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

/**
 * Moves Tab from the last control to the first and back. A native dialog would let it leave to the
 * browser's own controls.
 */
export function loopFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab') return
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>(focusable)].filter(
    (control) => control.tabIndex >= 0 && control.getClientRects().length > 0,
  )
  const wantedSide = event.shiftKey
    ? Node.DOCUMENT_POSITION_PRECEDING
    : Node.DOCUMENT_POSITION_FOLLOWING
  const focused = event.target as HTMLElement
  if (controls.some((control) => focused.compareDocumentPosition(control) & wantedSide)) return
  event.preventDefault()
  controls.at(event.shiftKey ? -1 : 0)?.focus()
}
