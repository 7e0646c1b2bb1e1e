import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pages } from '../locales/pages.en.ts'
import { PagePanel } from './PagePanel.tsx'
import { applyThemeQuery } from './windowTheme.ts'

/**
 * Draws a first-party page, but nothing if it is embedded in another page, even if the headers
 * allow that. With `window` the children are the whole page.
 */
export function renderPage(children: ReactNode, shape: 'page' | 'window' = 'page'): void {
  const root = document.getElementById('root')
  if (!root) return
  applyThemeQuery(document)
  const framed = window.top !== window
  const isWhole = shape === 'window' && !framed
  createRoot(root).render(
    <StrictMode>
      {isWhole ? (
        children
      ) : (
        <PagePanel>{framed ? <p>{pages.export.framed}</p> : children}</PagePanel>
      )}
    </StrictMode>,
  )
}
