import type { State } from '@latchkey/core'
import { useStore } from 'zustand'
import { useApp } from './useApp.ts'

/**
 * Selects a part of the app's state; `select` must return a value from the state, not a new object.
 */
export const useAppState = <Part>(select: (state: State) => Part): Part =>
  useStore(useApp().store, select)
