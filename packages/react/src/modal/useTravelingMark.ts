import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** How long a mark waits for the next view, whose code may have to load. */
const WAIT_MS = 300
const TRAVEL_MS = 160

/**
 * Moves the picture of a pressed row to its place in the next view, if that shows it too. `depth`:
 * the number of views in the history.
 */
export function useTravelingMark({
  content,
  depth,
}: {
  content: RefObject<HTMLElement | null>
  depth: number
}) {
  const pressed = useRef<{ image: HTMLImageElement; from: DOMRect }>(undefined)

  useEffect(() => {
    const area = content.current
    const note = ({ target }: Event) => {
      const image = (target as Element).closest('button')?.querySelector('img')
      pressed.current = image ? { image, from: image.getBoundingClientRect() } : undefined
    }
    area?.addEventListener('click', note, true)
    return () => area?.removeEventListener('click', note, true)
  }, [content])

  // biome-ignore lint/correctness/useExhaustiveDependencies: depth identifies a new view
  useLayoutEffect(() => {
    const area = content.current
    const mark = pressed.current
    pressed.current = undefined
    if (!area || !mark || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const arrive = () => {
      // In a wide window, the list with the pressed row stays.
      const image = [...area.querySelectorAll('img')].find(
        (other) => other !== mark.image && other.src === mark.image.src,
      )
      if (image) travel(image.parentElement ?? image, mark.from)
      return image !== undefined
    }
    if (arrive()) return
    const observer = new MutationObserver(() => arrive() && observer.disconnect())
    observer.observe(area, { childList: true, subtree: true })
    const timer = setTimeout(() => observer.disconnect(), WAIT_MS)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [content, depth])
}

function travel(mark: Element, from: DOMRect) {
  const to = mark.getBoundingClientRect()
  if (to.width === 0) return
  const x = from.x + from.width / 2 - (to.x + to.width / 2)
  const y = from.y + from.height / 2 - (to.y + to.height / 2)
  mark.animate?.(
    { translate: [`${x}px ${y}px`, '0 0'], scale: [from.width / to.width, 1] },
    { duration: TRAVEL_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
  )
}
