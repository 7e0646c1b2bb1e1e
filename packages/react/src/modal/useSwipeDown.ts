import { type RefObject, useEffect } from 'react'
import { useLatestCallback } from '../app/useLatestCallback.ts'

/** How far a bottom sheet must be pulled to close, in px. */
const CLOSE_AT = 96

/**
 * Closes a bottom sheet that is pulled down, from anywhere while its content is scrolled to the
 * top.
 */
export function useSwipeDown({
  card,
  frame,
  onSwipe,
}: {
  card: RefObject<HTMLElement | null>
  frame: RefObject<HTMLElement | null>
  onSwipe: () => void
}) {
  const close = useLatestCallback(onSwipe)
  useEffect(() => {
    const sheet = card.current
    if (!sheet) return
    let startY: number | undefined
    let pulled = 0
    const start = (event: TouchEvent) => {
      const isSheet = matchMedia('(max-width: 480px)').matches
      const inFrame = frame.current?.contains(event.target as Node)
      const atTop = !inFrame || (frame.current?.scrollTop ?? 0) <= 0
      startY =
        isSheet && atTop && event.touches.length === 1 ? event.touches[0]?.clientY : undefined
      pulled = 0
    }
    const move = (event: TouchEvent) => {
      const y = event.touches[0]?.clientY
      if (startY === undefined || y === undefined) return
      pulled = Math.max(0, y - startY)
      if (pulled > 8) {
        event.preventDefault()
        sheet.style.translate = `0 ${pulled}px`
      }
    }
    const end = () => {
      sheet.style.translate = ''
      if (pulled > CLOSE_AT) close()
      startY = undefined
      pulled = 0
    }
    sheet.addEventListener('touchstart', start, { passive: true })
    sheet.addEventListener('touchmove', move, { passive: false })
    sheet.addEventListener('touchend', end)
    sheet.addEventListener('touchcancel', end)
    return () => {
      sheet.removeEventListener('touchstart', start)
      sheet.removeEventListener('touchmove', move)
      sheet.removeEventListener('touchend', end)
      sheet.removeEventListener('touchcancel', end)
    }
  }, [card, frame, close])
}
