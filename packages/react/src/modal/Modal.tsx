import {
  type App,
  activeConnection,
  closeModal,
  getFrameContainer,
  isConnected,
  type View,
  warnOnce,
} from '@latchkey/core/internal'
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { loadAhead } from '../app/loadAhead.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { useLazyImport } from '../app/useLazyImport.ts'
import { useThemeRoot } from '../app/useThemeRoot.ts'
import surface from '../views/surface.module.css'
import { Header, type ShownView } from './Header.tsx'
import { loopFocus } from './loopFocus.ts'
import { MessageHost } from './Messages.tsx'
import styles from './Modal.module.css'
import { Panes } from './Panes.tsx'
import { useAnimatedHeight } from './useAnimatedHeight.ts'
import { findList, useIsWide } from './useColumns.ts'
import { useDialog, useFocusOnView } from './useDialog.ts'
import { useScrollLock } from './useScrollLock.ts'
import { useSwipeDown } from './useSwipeDown.ts'
import { useTravelingMark } from './useTravelingMark.ts'

/** How long the card takes to fade out. */
const FADE_MS = 150

const loadKept = () => import('./kept.ts').then(({ loadKept }) => loadKept())
const loadFrameHost = () => import('./FrameHost.tsx').then(({ FrameHost }) => FrameHost)

/** The modal: a native dialog in the top layer that shows the latest view of the app's history. */
export function Modal() {
  const app = useApp()
  const { open, history, direction, shakes } = useAppState((state) => state.modal)
  const latest = history.at(-1)
  const connected = useAppState((state) => isConnected(activeConnection(state)))
  const hasFrame = useAppState((state) => state.frame !== undefined)
  const isBehind = useAppState((state) => (state.frame?.frameView?.height ?? 0) > 0)
  const FrameHost = useLazyImport(loadFrameHost, hasFrame).value
  const OfflineLine = useLoadedAhead(loadKept, connected)
  const { shown, opening } = useLastShown(open ? latest : undefined, history)
  // The list of wallets is drawn ahead, so that a click only has to show it.
  const visibleView = shown ?? (connected ? undefined : ahead)
  const isWide = useIsWide()
  const list = isWide ? visibleView?.list : undefined
  const { ref: themeRef, ...theme } = useThemeRoot()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const attach = useCallback(
    (element: HTMLDialogElement | null) => {
      dialog.current = element
      themeRef(element)
    },
    [themeRef],
  )
  const close = () => closeModal(app)

  useDialog(app, { dialog, open })
  useFrameAbove(app, open)
  useScrollLock(open)
  useAnimatedHeight({ frame, content, mounted: shown !== undefined })
  useTravelingMark({ content, depth: history.length })
  useShake(card, shakes)
  useStyleWarning(app, { dialog, open })
  useSwipeDown({ card, frame, onSwipe: close })
  useFocusOnView({ dialog, open, depth: history.length, name: latest?.name })

  const modal = (
    <dialog
      {...theme}
      ref={attach}
      className={`${styles.dialog} ${surface.root}`}
      data-ahead={shown === undefined || undefined}
      aria-labelledby={titleId}
      onClick={(event) => event.target === dialog.current && close()}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        close()
      }}
      onKeyDown={(event) => {
        loopFocus(event)
        if (event.key !== 'Escape') return
        // Otherwise browsers close a dialog at the second Escape, and a page cannot prevent it.
        event.preventDefault()
        close()
      }}
    >
      <div
        ref={card}
        className={styles.card}
        data-behind={isBehind || undefined}
        data-view={visibleView?.view.name}
        data-columns={list === undefined ? undefined : ''}
      >
        <div className={styles.grip} aria-hidden="true" />
        {visibleView && (
          <Header
            key={`${opening} ${visibleView.bottom}`}
            view={visibleView.view}
            depth={visibleView.depth}
            titleId={titleId}
          />
        )}
        <div ref={frame} className={styles.frame}>
          <div ref={content} className={styles.content}>
            {shown && OfflineLine && <OfflineLine />}
            {visibleView && (
              <Panes
                shown={visibleView}
                opening={opening}
                direction={visibleView.depth > 1 || direction === 'back' ? direction : undefined}
                list={list}
              />
            )}
          </div>
        </div>
      </div>
      {open && <MessageHost />}
    </dialog>
  )
  return (
    <>
      {modal}
      {FrameHost && <FrameHost />}
    </>
  )
}

/** Loads code once the page is idle; undefined until then. */
function useLoadedAhead<Value>(load: () => Promise<Value>, isWanted: boolean): Value | undefined {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    if (isWanted) return loadAhead(async () => setIsIdle(true))
  }, [isWanted])
  return useLazyImport(load, isIdle).value
}

const ahead: ShownView = { view: { name: 'Connect' }, depth: 1, bottom: 'Connect', list: 1 }

/**
 * The view on the screen. The last view stays unchanged while the card fades out and is then
 * unmounted, which cancels what it had started. `opening` counts how often that happened.
 */
function useLastShown(
  view: View | undefined,
  history: readonly View[],
): { shown: ShownView | undefined; opening: number } {
  const [{ last, opening }, setLast] = useState<{ last?: ShownView; opening: number }>({
    opening: 0,
  })
  const depth = history.length
  const shown = view && {
    ...{ view, depth, bottom: history[0]?.name ?? view.name },
    list: findList(history),
  }
  if (shown && (view !== last?.view || depth !== last.depth)) setLast({ last: shown, opening })
  useEffect(() => {
    if (view !== undefined) return
    const timer = setTimeout(
      () => setLast((state) => (state.last ? { opening: state.opening + 1 } : state)),
      FADE_MS,
    )
    return () => clearTimeout(timer)
  }, [view])
  return { shown: shown ?? last, opening }
}

/** Keeps the secure frame above a modal that was opened later. */
function useFrameAbove(app: App, open: boolean) {
  useEffect(() => {
    if (open) getFrameContainer(app)?.raise()
  }, [app, open])
}

function useShake(card: RefObject<HTMLElement | null>, shakes: number) {
  const lastShakes = useRef(shakes)
  useEffect(() => {
    if (lastShakes.current === shakes) return
    lastShakes.current = shakes
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    card.current?.animate(
      { translate: ['0', '-8px', '8px', '-6px', '6px', '-3px', '3px', '0'] },
      { duration: 500, easing: 'ease-out' },
    )
  }, [card, shakes])
}

/** Warns the developer, in development, if the style sheet is missing. */
function useStyleWarning(
  app: App,
  { dialog, open }: { dialog: RefObject<HTMLDialogElement | null>; open: boolean },
) {
  useEffect(() => {
    if (process.env.NODE_ENV === 'production' || !open || !dialog.current) return
    if (getComputedStyle(dialog.current).getPropertyValue('--lk-forward') === '')
      warnOnce(
        app,
        "The modal has no styles. Add `import '@latchkey/react/theme.css'` to the file with <LatchkeyProvider>",
      )
  }, [app, dialog, open])
}
