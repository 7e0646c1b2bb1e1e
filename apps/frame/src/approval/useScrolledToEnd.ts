import { type RefObject, useEffect, useState } from 'react'

/** Whether `end` was in sight within `scroller` once: at once where all fits, else when it is scrolled to. */
export function useScrolledToEnd(
  end: RefObject<Element | null>,
  scroller: RefObject<Element | null>,
): boolean {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setReached(true),
      { root: scroller.current },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [end, scroller])
  return isReached
}
