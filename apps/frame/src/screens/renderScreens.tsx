import { StrictMode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { ScreenQueue, VisibleScreen } from './screenQueue.ts'

type Measure = (shown: VisibleScreen, height: number) => void

/** Draws the current screen into `root` and calls `measure` whenever its height changes. */
export function renderScreens(root: HTMLElement, screenQueue: ScreenQueue, measure: Measure): void {
  createRoot(root).render(
    <StrictMode>
      <CurrentScreen screenQueue={screenQueue} measure={measure} />
    </StrictMode>,
  )
}

/** The current screen. */
export function CurrentScreen({
  screenQueue,
  measure,
}: {
  screenQueue: ScreenQueue
  measure: Measure
}) {
  const shown = useSyncExternalStore(screenQueue.subscribe, screenQueue.current)
  return shown ? <One key={shown.id} shown={shown} measure={measure} /> : null
}

function One({ shown, measure }: { shown: VisibleScreen; measure: Measure }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (!current || shown.over) return
    const tell = () =>
      measure(shown, shown.height ?? Math.ceil(current.getBoundingClientRect().height))
    const observer = new ResizeObserver(tell)
    observer.observe(current)
    tell()
    return () => observer.disconnect()
  }, [shown, measure])
  return (
    <div ref={box} className="screen" data-view={shown.view} inert={shown.over}>
      <shown.Component {...shown.props} />
    </div>
  )
}
