import type { ThemeMode } from '@latchkey/core'
import { text } from '../locales/text.ts'
import { Glyph } from './Glyph.tsx'
import { useChosenTheme } from './useChosenTheme.ts'

/** The theme after another. After the system's theme comes the one that looks different. */
function getNext(mode: ThemeMode): ThemeMode {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const modes = ['system', isDark ? 'light' : 'dark', isDark ? 'dark' : 'light'] as const
  return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'system'
}

const getName = (mode: ThemeMode) => text(`theme.${mode}`)

/** Cycles through dark, light and the system's theme, and stores the choice. */
export function ThemeSwitch() {
  const { mode, choose } = useChosenTheme()
  const next = getNext(mode)
  const label = text('theme.change', { now: getName(mode), next: getName(next) })
  return (
    <button
      type="button"
      className="iconButton"
      aria-label={label}
      title={label}
      onClick={() => choose(next)}
    >
      <Glyph name={mode} />
    </button>
  )
}
