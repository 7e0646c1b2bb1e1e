import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the frame as high as its content, so that CSS can animate the change; it scrolls only
 * beyond its maximum.
 */
export function useAnimatedHeight({
  frame,
  content,
  mounted,
}: {
  frame: RefObject<HTMLElement | null>
  content: RefObject<HTMLElement | null>
  mounted: boolean
}) {
  useLayoutEffect(() => {
    const outer = frame.current
    const inner = content.current
    if (!mounted || !outer || !inner) return
    const follow = () => {
      const height = inner.offsetHeight
      if (height === 0) return
      // The card's own animation moves it already.
      outer.style.transition = outer.parentElement?.getAnimations?.().length ? 'none' : ''
      outer.style.blockSize = `${height}px`
      const limit = Number.parseFloat(getComputedStyle(outer).maxBlockSize)
      outer.toggleAttribute('data-scrolls', height > limit + 1)
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    window.addEventListener('resize', follow)
    return () => {
      outer.style.blockSize = ''
      observer.disconnect()
      window.removeEventListener('resize', follow)
    }
  }, [frame, content, mounted])
}
