import { StrictMode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { ScreenQueue, VisibleScreen } from './screenQueue.ts'

type Measure = (screen: VisibleScreen, height: number) => void

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
  const screen = useSyncExternalStore(screenQueue.subscribe, screenQueue.current)
  return screen ? <One key={screen.id} screen={screen} measure={measure} /> : null
}

function One({ screen, measure }: { screen: VisibleScreen; measure: Measure }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (!current || screen.over) return
    const tell = () =>
      measure(screen, screen.height ?? Math.ceil(current.getBoundingClientRect().height))
    const observer = new ResizeObserver(tell)
    observer.observe(current)
    tell()
    return () => observer.disconnect()
  }, [screen, measure])
  return (
    <div ref={box} className="screen" data-view={screen.view} inert={screen.over}>
      <screen.Component {...screen.props} />
    </div>
  )
}
