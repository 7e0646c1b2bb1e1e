import { type App, keepUsable } from '@latchkey/core/internal'
import { type RefObject, useCallback, useEffect, useLayoutEffect } from 'react'

/** Opens and closes the native dialog with the state of the app. */
export function useDialog(
  app: App,
  { dialog, open }: { dialog: RefObject<HTMLDialogElement | null>; open: boolean },
) {
  const show = useCallback(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
  }, [dialog])
  // Before the first frame, so that nothing is laid out twice.
  useLayoutEffect(() => {
    if (open) show()
  }, [open, show])
  // Closed only after React has restored the focus that it moved during its own changes.
  useEffect(() => {
    const element = dialog.current
    if (!element || !open) return
    show()
    const release = keepUsable(element)
    const reopen = () => {
      // Some browsers close a dialog on their own, but the app decides whether it may close.
      if (app.store.getState().modal.open) show()
    }
    element.addEventListener('close', reopen)
    return () => {
      element.removeEventListener('close', reopen)
      release()
      element.close()
      // The button that opened it may have been removed when the account connected.
      const { activeElement } = document
      if (activeElement === document.body || element.contains(activeElement))
        document.querySelector<HTMLElement>('[data-account-button]')?.focus()
    }
  }, [app, dialog, open, show])
}

/**
 * Focuses the title of a new view, so that a screen reader announces it and Tab starts at its top.
 */
export function useFocusOnView({
  dialog,
  open,
  depth,
  name,
}: {
  dialog: RefObject<HTMLDialogElement | null>
  open: boolean
  depth: number
  name: string | undefined
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: depth and name identify a new view
  useEffect(() => {
    if (!open) return
    dialog.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }, [dialog, open, depth, name])
}
