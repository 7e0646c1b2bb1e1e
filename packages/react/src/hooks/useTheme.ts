import { setTheme } from '@latchkey/core'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/** The theme's mode and variables, and how to change them. */
export function useTheme() {
  const app = useApp()
  const { mode, variables } = useAppState((state) => state.theme)
  return {
    mode,
    variables,
    setTheme: (parameters: Parameters<typeof setTheme>[1]) => setTheme(app, parameters),
  }
}
