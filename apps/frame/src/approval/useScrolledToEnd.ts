import { type RefObject, useEffect, useState } from 'react'
import type { VisibilityGuard } from './createVisibilityGuard.ts'

/**
 * Whether `end` has been visible inside `scroller` and the window once: immediately if everything
 * fits, otherwise after scrolling. Does not count before `isComplete`, while more content follows,
 * or while the guard does not see all of `card`: a page could make the frame as high as its content
 * for a moment.
 */
export function useScrolledToEnd({
  end,
  scroller,
  card,
  guard,
  isComplete,
}: {
  end: RefObject<Element | null>
  scroller: RefObject<Element | null>
  card: RefObject<Element | null>
  guard: RefObject<VisibilityGuard | null>
  isComplete: boolean
}): boolean {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    const { current: mark } = end
    const { current: box } = scroller
    const { current: whole } = card
    const { current: opened } = guard
    if (!mark || !box || !whole || !opened || !isComplete) return
    // Scrolling in a low window may skip it in one step.
    const look = () => {
      // A long list is still being rendered.
      if (!opened.sees(whole) || box.querySelector('[aria-busy=true]')) return
      const bottom = Math.min(box.getBoundingClientRect().bottom, window.innerHeight)
      if (bottom > 0 && mark.getBoundingClientRect().bottom <= bottom + 1) setReached(true)
    }
    const observer = new ResizeObserver(look)
    observer.observe(box)
    // Scroll events of elements do not bubble, so this listens in the capture phase.
    document.addEventListener('scroll', look, true)
    const unsubscribe = opened.subscribe(look)
    return () => {
      unsubscribe()
      observer.disconnect()
      document.removeEventListener('scroll', look, true)
    }
  }, [end, scroller, card, guard, isComplete])
  return isReached
}
