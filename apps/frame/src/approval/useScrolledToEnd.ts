import { type RefObject, useEffect, useState } from 'react'
import type { Gate } from './createGate.ts'

/**
 * Whether `end` has come into sight inside `scroller` and the window once: immediately if
 * everything fits, otherwise after scrolling. Before `isComplete`, while more is to come, nothing
 * counts, nor while the gate does not see all of `card`: a page could make the frame as high as the
 * text for a moment.
 */
export function useScrolledToEnd({
  end,
  scroller,
  card,
  gate,
  isComplete,
}: {
  end: RefObject<Element | null>
  scroller: RefObject<Element | null>
  card: RefObject<Element | null>
  gate: RefObject<Gate | null>
  isComplete: boolean
}): boolean {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    const { current: mark } = end
    const { current: box } = scroller
    const { current: whole } = card
    const { current: opened } = gate
    if (!mark || !box || !whole || !opened || !isComplete) return
    // A low window may jump over it in one step.
    const look = () => {
      // A long list is still being drawn.
      if (!opened.sees(whole) || box.querySelector('[aria-busy=true]')) return
      const bottom = Math.min(box.getBoundingClientRect().bottom, window.innerHeight)
      if (bottom > 0 && mark.getBoundingClientRect().bottom <= bottom + 1) setReached(true)
    }
    const observer = new ResizeObserver(look)
    observer.observe(box)
    // What scrolls inside the page scrolls without bubbling.
    document.addEventListener('scroll', look, true)
    const unsubscribe = opened.subscribe(look)
    return () => {
      unsubscribe()
      observer.disconnect()
      document.removeEventListener('scroll', look, true)
    }
  }, [end, scroller, card, gate, isComplete])
  return isReached
}
