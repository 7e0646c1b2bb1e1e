import { useTheme } from '@latchkey/react'
import { useEffect } from 'react'

/** Applies the theme to the whole document, and the page's color to the browser's own interface. */
export function usePageTheme() {
  const { mode, variables } = useTheme()
  useEffect(() => {
    const root = document.documentElement
    root.dataset.lkTheme = mode
    const names = Object.entries(variables)
    for (const [name, value] of names) root.style.setProperty(name, value)
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const paint = () => {
      const color = getComputedStyle(document.body).backgroundColor
      for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
        meta.setAttribute('content', color)
    }
    paint()
    dark.addEventListener('change', paint)
    return () => {
      dark.removeEventListener('change', paint)
      for (const [name] of names) root.style.removeProperty(name)
    }
  }, [mode, variables])
}
