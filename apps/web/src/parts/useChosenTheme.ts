import type { ThemeMode } from '@latchkey/core'
import { useApp, useTheme } from '@latchkey/react'

/** The theme of the page, and a function that changes it and stores the choice. */
export function useChosenTheme(): { mode: ThemeMode; choose: (mode: ThemeMode) => void } {
  const { storage } = useApp()
  const { mode, setTheme } = useTheme()
  const choose = (chosen: ThemeMode) => {
    setTheme({ mode: chosen })
    storage.set('themeMode', chosen)
  }
  return { mode, choose }
}
