import { StrictMode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { ScreenQueue, VisibleScreen } from './screenQueue.ts'

type Measure = (shown: VisibleScreen, height: number) => void

/** Draws what is on the stage into `root`, and tells `measure` how high it is each time that changes, until it is over. */
export function renderScreens(root: HTMLElement, screenQueue: ScreenQueue, measure: Measure): void {
  createRoot(root).render(
    <StrictMode>
      <CurrentScreen screenQueue={screenQueue} measure={measure} />
    </StrictMode>,
  )
}

/** What is on the stage. */
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
