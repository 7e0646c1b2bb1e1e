import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pages } from '../locales/pages.en.ts'
import { applyThemeQuery } from './windowTheme.ts'

/**
 * Draws a first-party page, but nothing if it is embedded in another page, even if the headers
 * allow that. With `window` the page has the height of the window, and only a part of it scrolls.
 */
export function renderPage(children: ReactNode, shape: 'page' | 'window' = 'page'): void {
  const root = document.getElementById('root')
  if (!root) return
  applyThemeQuery(document)
  const framed = window.top !== window
  createRoot(root).render(
    <StrictMode>
      <div className={shape}>{framed ? <p>{pages.export.framed}</p> : children}</div>
    </StrictMode>,
  )
}
