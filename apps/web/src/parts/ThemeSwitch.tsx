import type { ThemeMode } from '@latchkey/core'
import { useApp, useTheme } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from './Glyph.tsx'

const next = { dark: 'light', light: 'system', system: 'dark' } as const satisfies Record<
  ThemeMode,
  ThemeMode
>
const getName = (mode: ThemeMode) => text(`theme.${mode}`)

/** Cycles through dark, light and the system's theme, and stores the choice. */
export function ThemeSwitch() {
  const { storage } = useApp()
  const { mode, setTheme } = useTheme()
  const label = text('theme.change', { now: getName(mode), next: getName(next[mode]) })
  return (
    <button
      type="button"
      className="iconButton"
      aria-label={label}
      title={label}
      onClick={() => {
        setTheme({ mode: next[mode] })
        storage.set('themeMode', next[mode])
      }}
    >
      <Glyph name={mode} />
    </button>
  )
}
