import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether `end` has come into sight inside `scroller` and the window once: immediately if everything fits, otherwise after scrolling. Before
 * `isComplete`, while more is to come, nothing counts.
 */
export function useScrolledToEnd(
  end: RefObject<Element | null>,
  scroller: RefObject<Element | null>,
  isComplete: boolean,
): boolean {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    const { current: mark } = end
    const { current: box } = scroller
    if (!mark || !box || !isComplete) return
    // A low window may jump over it in one step.
    const look = () => {
      const bottom = Math.min(box.getBoundingClientRect().bottom, window.innerHeight)
      if (bottom > 0 && mark.getBoundingClientRect().bottom <= bottom + 1) setReached(true)
    }
    const observer = new ResizeObserver(look)
    observer.observe(box)
    // What scrolls inside the page scrolls without bubbling.
    document.addEventListener('scroll', look, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('scroll', look, true)
    }
  }, [end, scroller, isComplete])
  return isReached
}
