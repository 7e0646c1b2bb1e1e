import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import { Button } from '../screens/parts/Button.tsx'

const t = approvals.approve.pager

/**
 * A single transaction (`index` from 0) of several, with buttons to the previous and the next. A
 * new page is shown from its start.
 */
export function Pager({
  index,
  count,
  onTurn,
  children,
}: {
  index: number
  count: number
  onTurn: (index: number) => void
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(index)
  // Runs before the end of the new page can count as seen.
  useLayoutEffect(() => {
    if (shown.current === index) return
    shown.current = index
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [index])
  return (
    <section className="pager">
      <h2 ref={heading} tabIndex={-1}>
        {fill(t.number, { number: index + 1, count })}
      </h2>
      {children}
      <div className="pair">
        <Button kind="quiet" disabled={index === 0} onClick={() => onTurn(index - 1)}>
          {t.back}
        </Button>
        <Button kind="quiet" disabled={index === count - 1} onClick={() => onTurn(index + 1)}>
          {t.next}
        </Button>
      </div>
    </section>
  )
}
