import { closeModal, openModal, type View } from '@latchkey/core'
import { useCallback } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/** Opens and closes the modal. Without a view it opens on Account if connected, else on Connect. */
export function useModal() {
  const app = useApp()
  return {
    isOpen: useAppState((state) => state.modal.open),
    open: useCallback((view?: View) => openModal(app, view ? { view } : {}), [app]),
    close: useCallback(() => closeModal(app), [app]),
  }
}
