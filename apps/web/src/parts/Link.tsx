import type { MouseEvent, ReactNode } from 'react'
import { navigate, useRoute } from '../useRoute.ts'

/** A link to a page of this app that can also be opened in a new tab. */
export function Link({
  to,
  className,
  isHeld = false,
  onFollow,
  children,
}: {
  to: string
  className?: string | undefined
  /** Whether it keeps its space, but is invisible. */
  isHeld?: boolean
  /** Called after it has been followed in this tab. */
  onFollow?: () => void
  children: ReactNode
}) {
  const isHere = useRoute() === to
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    navigate(to)
    onFollow?.()
  }
  return (
    <a
      href={to}
      className={className}
      data-waits={isHeld || undefined}
      aria-current={isHere ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
