import {
  type App,
  activeConnection,
  closeModal,
  getFramePlace,
  goBack,
  isConnected,
  pushView,
  type View,
} from '@latchkey/core'
import type { DirectoryWallet } from '@latchkey/wire'
import {
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { type Queries, useLateQuery } from '../app/useLateQuery.ts'
import { useLoaded } from '../app/useLoaded.ts'
import { useThemeRoot } from '../app/useThemeRoot.ts'
import { useT } from '../locales/useT.ts'
import { IconButton } from '../parts/Button.tsx'
import { loopFocus } from './loopFocus.ts'
import { MessageHost } from './Messages.tsx'
import styles from './Modal.module.css'
import { useAnimatedHeight } from './useAnimatedHeight.ts'
import { useScrollLock } from './useScrollLock.ts'
import { useSwipeDown } from './useSwipeDown.ts'
import { ViewSwitch } from './ViewSwitch.tsx'
import { views } from './views.ts'

/** Milliseconds that the card takes to fade out. */
const FADE_MS = 150

const loadFrameHost = () => import('./FrameHost.tsx').then(({ FrameHost }) => FrameHost)

/** The modal: a native dialog in the top layer that shows the latest view of the app's history. */
export function Modal() {
  const app = useApp()
  const { open, history, direction, shakes } = useAppState((state) => state.modal)
  const latest = history.at(-1)
  const hasFrame = useAppState((state) => state.frame !== undefined)
  const isBehind = useAppState((state) => (state.frame?.frameView?.height ?? 0) > 0)
  const FrameHost = useLoaded(loadFrameHost, hasFrame).value
  const { shown, opening } = useLastShown(open ? latest : undefined, history)
  const connected = useAppState((state) => isConnected(activeConnection(state)))
  // The list of wallets is drawn ahead, so that a click only has to show it.
  const visibleView = shown ?? (connected ? undefined : ahead)
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
  useShake(card, shakes)
  useSwipeDown({ card, frame, onSwipe: close })
  useFocusOnView({ dialog, open, depth: history.length, name: latest?.name })

  const modal = (
    <dialog
      {...theme}
      ref={attach}
      className={styles.dialog}
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
        // Otherwise browsers close a dialog at the second Escape, whatever we say.
        event.preventDefault()
        close()
      }}
    >
      <div
        ref={card}
        className={styles.card}
        data-behind={isBehind || undefined}
        data-view={visibleView?.view.name}
      >
        <div className={styles.grip} aria-hidden="true" />
        {visibleView && (
          <Header key={`${opening} ${visibleView.bottom}`} {...visibleView} titleId={titleId} />
        )}
        <div ref={frame} className={styles.frame}>
          <div ref={content} className={styles.content}>
            {visibleView && (
              <div
                key={`${opening} ${visibleView.depth} ${visibleView.view.name}`}
                className={styles.view}
                data-direction={
                  visibleView.depth > 1 || direction === 'back' ? direction : undefined
                }
              >
                <ViewSwitch view={visibleView.view} />
              </div>
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

function Header({ view, depth, titleId }: Shown & { titleId: string }) {
  const app = useApp()
  const t = useT()
  const wallet = useViewWallet(view)
  const title = useAppState((state) => getTitle(view, { t, state, wallet }))
  const { start } = views[view.name]
  const back = depth > 1 && start !== 'none'
  return (
    <div className={styles.header}>
      <div className={styles.side}>
        {back && <IconButton icon="back" label={t('shell.back')} onClick={() => goBack(app)} />}
        {!back && start === 'help' && (
          <IconButton
            icon="help"
            label={t('shell.help')}
            onClick={() => pushView(app, { name: 'WhatIsAWallet' })}
          />
        )}
      </div>
      <Title id={titleId} text={title} />
      <div className={styles.side}>
        <IconButton icon="close" label={t('shell.close')} onClick={() => closeModal(app)} />
      </div>
    </div>
  )
}

function Title({ id, text }: { id: string; text: string }) {
  const [titles, setTitles] = useState<{ now: string; before?: string }>({ now: text })
  if (titles.now !== text) setTitles({ now: text, before: titles.now })
  return (
    <div className={styles.titles}>
      {titles.before !== undefined && (
        <span key={`before ${titles.before}`} className={styles.titleBefore} aria-hidden="true">
          {titles.before}
        </span>
      )}
      <h2 id={id} tabIndex={-1} className={styles.title}>
        <span key={text}>{text}</span>
      </h2>
    </div>
  )
}

function getTitle<Name extends View['name']>(
  view: Extract<View, { name: Name }>,
  { t, state, wallet }: Omit<Parameters<(typeof views)[Name]['title']>[0], 'view'>,
): string {
  const { title } = views[view.name as Name]
  return title({ t, view, state, wallet } as Parameters<typeof title>[0])
}

/** The directory's wallet of a view; one that a list has loaded is available at once. */
function useViewWallet(view: View): DirectoryWallet | undefined {
  const walletId = 'walletId' in view ? view.walletId : undefined
  const getOptions = useMemo(
    () =>
      walletId === undefined
        ? undefined
        : (queries: Queries, app: App) => queries.walletQuery(app, { walletId }),
    [walletId],
  )
  return useLateQuery({ getOptions, enabled: true }).result?.data ?? undefined
}

/** A view, the depth of the history, and the name of the first view. */
type Shown = { view: View; depth: number; bottom: View['name'] }

const ahead: Shown = { view: { name: 'Connect' }, depth: 1, bottom: 'Connect' }

/**
 * The view on the screen. The last view stays unchanged while the card fades out and is then unmounted, which
 * cancels what it had started. `opening` counts how often that happened.
 */
function useLastShown(
  view: View | undefined,
  history: readonly View[],
): { shown: Shown | undefined; opening: number } {
  const [{ last, opening }, setLast] = useState<{ last?: Shown; opening: number }>({ opening: 0 })
  const depth = history.length
  const shown = view && { view, depth, bottom: history[0]?.name ?? view.name }
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

function useDialog(
  app: App,
  { dialog, open }: { dialog: RefObject<HTMLDialogElement | null>; open: boolean },
) {
  const show = useCallback(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
  }, [dialog])
  // Before the first frame, so that nothing is laid out twice.
  useLayoutEffect(() => {
    if (open) show()
  }, [open, show])
  // Closed only after React has put the focus back to where it was during its own changes.
  useEffect(() => {
    const element = dialog.current
    if (!element || !open) return
    show()
    const reopen = () => {
      // Some browsers close a dialog by themselves, but the app decides whether it may close.
      if (app.store.getState().modal.open) show()
    }
    element.addEventListener('close', reopen)
    return () => {
      element.removeEventListener('close', reopen)
      element.close()
    }
  }, [app, dialog, open, show])
}

/** Keeps the secure frame above a modal that was opened later. */
function useFrameAbove(app: App, open: boolean) {
  useEffect(() => {
    if (open) getFramePlace(app)?.raise()
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

/** Focuses the title of a new view, so that a screen reader announces it and Tab starts at its top. */
function useFocusOnView({
  dialog,
  open,
  depth,
  name,
}: {
  dialog: RefObject<HTMLDialogElement | null>
  open: boolean
  depth: number
  name: string | undefined
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: depth and name are what a new view is known by
  useEffect(() => {
    if (!open) return
    dialog.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }, [dialog, open, depth, name])
}
