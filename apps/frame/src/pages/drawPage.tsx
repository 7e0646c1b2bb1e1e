import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pages } from '../locales/pages.en.ts'

/** Draws a first-party page; nothing inside another page, whatever its headers say. */
export function drawPage(children: ReactNode): void {
  const root = document.getElementById('root')
  if (!root) return
  const framed = window.top !== window
  createRoot(root).render(
    <StrictMode>
      <div className="page">{framed ? <p>{pages.export.framed}</p> : children}</div>
    </StrictMode>,
  )
}
