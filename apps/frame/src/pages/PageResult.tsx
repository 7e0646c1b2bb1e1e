import { useEffect, useRef } from 'react'

/** The end of a page's task. The heading gets the focus, because the pressed button is gone. */
export function PageResult({ title, text }: { title: string; text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="stack ending">
      <svg width="40" height="40" viewBox="0 0 40 40" aria-hidden="true">
        <g fill="none" stroke="var(--lk-accent-ink)" strokeWidth="3" strokeLinecap="round">
          <circle cx="20" cy="20" r="18" />
          <path strokeLinejoin="round" d="m12.5 20.5 5 5 10-10.5" />
        </g>
      </svg>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p className="lead" role="status">
        {text}
      </p>
    </div>
  )
}
