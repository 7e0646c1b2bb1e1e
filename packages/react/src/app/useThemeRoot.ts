import { type RefCallback, useCallback, useRef } from 'react'
import { useLatchkey } from './context.ts'
import { useAppState } from './useAppState.ts'

/**
 * The props that apply the theme to an element. Variables are set through the CSSOM, which a strict
 * CSP allows, and never as a `style` attribute in served HTML.
 */
export function useThemeRoot(): {
  'data-lk-theme': string
  'data-lk-font': 'system' | undefined
  ref: RefCallback<HTMLElement>
} {
  const { mode, variables } = useAppState((state) => state.theme)
  // The file of the font would take bandwidth from the modal's code, which a click may wait for.
  const isLoaded = useLatchkey().modalStatus === 'ready'
  const themedElement = useRef<HTMLElement | null>(null)
  // Called with null before the variables change or the element is removed; React 18 has no
  // clean-up function for refs.
  const ref = useCallback(
    (element: HTMLElement | null) => {
      for (const [name, value] of Object.entries(variables)) {
        if (element) element.style.setProperty(name, value)
        else themedElement.current?.style.removeProperty(name)
      }
      themedElement.current = element
    },
    [variables],
  )
  return { 'data-lk-theme': mode, 'data-lk-font': isLoaded ? undefined : 'system', ref }
}
