import { type RefCallback, useCallback } from 'react'
import { useAppState } from './useAppState.ts'

/**
 * What an element needs to carry the theme: spread it. Variables are set through the CSSOM, which a strict CSP allows,
 * and never as a `style` attribute in served HTML.
 */
export function useThemeRoot(): {
  'data-lk-theme': string
  ref: RefCallback<HTMLElement>
} {
  const { mode, variables } = useAppState((state) => state.theme)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return
      const names = Object.entries(variables)
      for (const [name, value] of names) element.style.setProperty(name, value)
      return () => {
        for (const [name] of names) element.style.removeProperty(name)
      }
    },
    [variables],
  )
  return { 'data-lk-theme': mode, ref }
}
