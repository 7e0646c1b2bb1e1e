import { type RefCallback, useCallback, useRef } from 'react'
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
  const themed = useRef<HTMLElement | null>(null)
  // Called with null before the variables change or the element goes; React 18 knows no clean-up function of a ref.
  const ref = useCallback(
    (element: HTMLElement | null) => {
      for (const [name, value] of Object.entries(variables)) {
        if (element) element.style.setProperty(name, value)
        else themed.current?.style.removeProperty(name)
      }
      themed.current = element
    },
    [variables],
  )
  return { 'data-lk-theme': mode, ref }
}
