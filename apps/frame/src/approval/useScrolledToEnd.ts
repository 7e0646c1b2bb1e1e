import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether `end` has been visible inside `scroller` once: immediately if everything fits, otherwise after scrolling. Before
 * `isComplete`, while more is to come, nothing counts.
 */
export function useScrolledToEnd(
  end: RefObject<Element | null>,
  scroller: RefObject<Element | null>,
  isComplete: boolean,
): boolean {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    if (!end.current || !isComplete) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setReached(true),
      { root: scroller.current },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [end, scroller, isComplete])
  return isReached
}
