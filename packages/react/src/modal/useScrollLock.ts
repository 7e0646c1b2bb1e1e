import { useLayoutEffect } from 'react'

/**
 * Prevents the page from scrolling while `locked`, and keeps the scrollbar's space so that nothing
 * jumps.
 */
export function useScrollLock(locked: boolean) {
  useLayoutEffect(() => {
    if (!locked) return
    const { documentElement: root } = document
    const { overflow, scrollbarGutter } = root.style
    if (window.innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable'
    root.style.overflow = 'hidden'
    return () => {
      root.style.overflow = overflow
      root.style.scrollbarGutter = scrollbarGutter
    }
  }, [locked])
}
