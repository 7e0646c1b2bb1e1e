import type { ReactNode } from 'react'
import { pages } from '../locales/pages.en.ts'

/** The layout of a page that the user opens directly: the brand, and a card with the content. */
export const PagePanel = ({ children }: { children: ReactNode }) => (
  <div className="page">
    <p className="brand">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="var(--lk-accent)" />
        <g
          fill="none"
          stroke="var(--lk-accent-text)"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <circle cx="11.5" cy="16" r="4.75" />
          <path d="M16.25 16H25v4.25M20.75 16v3" />
        </g>
      </svg>
      {pages.brand}
    </p>
    <div className="panel stack">{children}</div>
  </div>
)
