/** Our logo: a simple latchkey. The product's name is next to it. */
export const Mark = () => (
  <svg className="mark" width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
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
)
