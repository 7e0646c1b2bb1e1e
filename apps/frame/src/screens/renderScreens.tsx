import { StrictMode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { OwnPicture } from '../picture/OwnPicture.tsx'
import type { ScreenQueue, VisibleScreen } from './screenQueue.ts'

type Measure = (screen: VisibleScreen, height: number) => void

/** Renders the current screen into `root` and calls `measure` whenever its height changes. */
export function renderScreens(root: HTMLElement, screenQueue: ScreenQueue, measure: Measure): void {
  createRoot(root).render(
    <StrictMode>
      <CurrentScreen screenQueue={screenQueue} measure={measure} />
    </StrictMode>,
  )
}

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
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = content
    if (!current || screen.over) return
    const tell = () =>
      measure(screen, screen.height ?? Math.ceil(current.getBoundingClientRect().height))
    const observer = new ResizeObserver(tell)
    observer.observe(current)
    tell()
    return () => observer.disconnect()
  }, [screen, measure])
  useEffect(() => {
    // A press counts only in a focused page. If a screen begins with a field, the field already has
    // the focus.
    if (!document.hasFocus()) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box} className="screen" data-view={screen.view} inert={screen.over} tabIndex={-1}>
      <div ref={content}>
        {/* An approval shows the picture in its own card. */}
        {screen.picture && screen.view !== 'approve' && (
          <OwnPicture picture={screen.picture} about={box} />
        )}
        <screen.Component {...screen.props} />
      </div>
    </div>
  )
}
