import type { MouseEvent, ReactNode } from 'react'
import { navigate, useRoute } from '../useRoute.ts'

/** A link to a page of this app that can also be opened in a new tab. */
export function Link({
  to,
  className,
  children,
}: {
  to: string
  className?: string | undefined
  children: ReactNode
}) {
  const isHere = useRoute() === to
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={to} className={className} aria-current={isHere ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  )
}
