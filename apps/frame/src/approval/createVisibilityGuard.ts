import { approvalSize } from '@latchkey/wire'

/**
 * Whether the user can approve now. `unproven`: this browser cannot tell whether something covers
 * the frame. `covered`: something does, or the frame is too small or hidden. `settling`: fully
 * visible, but not long enough yet. `open`: the user can approve.
 */
export type GuardState = 'unproven' | 'covered' | 'settling' | 'open'

export type VisibilityGuard = {
  state(): GuardState
  /**
   * Processes the browser's pending observations, then returns whether the guard is open. Call it
   * when the user presses and again before acting.
   */
  check(): boolean
  /**
   * Whether the page is large enough and the browser reports all of a target as visible, also while
   * the page has no focus.
   */
  sees(target: Element): boolean
  /** Calls `listener` when the state or the browser's report has changed. */
  subscribe(listener: () => void): () => void
  stop(): void
}

const settleMs = 800
// The minimum that browsers allow with trackVisibility.
const delayMs = 100
const thresholds = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1]

type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Whether this browser reports real visibility (IntersectionObserver v2). */
export const canVerifyVisibility = (window: Window & typeof globalThis): boolean =>
  'IntersectionObserverEntry' in window && 'isVisible' in window.IntersectionObserverEntry.prototype

/**
 * Observes that all `targets` are fully visible according to the browser, while the page is
 * visible, large enough and focused. The guard starts closed, and any loss restarts the wait. A
 * first-party window (`isTop`), which no page can cover, needs no report from the browser. If the
 * targets do not fit into the window, it is enough that they were read in `parts`.
 */
export function createVisibilityGuard(parameters: {
  window: Window & typeof globalThis
  targets: readonly Element[]
  /**
   * The element that contains the targets and is never larger than the window, and whether the
   * targets were read part by part while all of it was visible.
   */
  parts?: { readonly around: Element; readonly isRead: () => boolean } | undefined
  isTop: boolean
  now: () => number
  /** The minimum size of the window, CSS px. */
  minSize?: { readonly width: number; readonly height: number }
  /** Trusts the page's own visibility in a browser that cannot report what covers the page. */
  trusting?: boolean
}): VisibilityGuard {
  const { window, targets, parts, isTop, now } = parameters
  const { minSize = approvalSize, trusting = false } = parameters
  const { document } = window
  const listeners = new Set<() => void>()
  const isObserved = !isTop && canVerifyVisibility(window)
  const proven = isTop || isObserved || trusting
  // Without a report on what covers the page, only the wait applies: some browsers do not report to
  // a frame that it has the focus.
  const needsFocus = isTop || isObserved
  const watched = parts ? [...targets, parts.around] : targets
  const visibility = new Map<Element, boolean>(watched.map((target) => [target, !isObserved]))
  let since: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: GuardState | undefined

  const isRoomy = () => window.innerWidth >= minSize.width && window.innerHeight >= minSize.height
  const isWhole = (target: Element) => target.isConnected && visibility.get(target) === true
  const isShown = () => document.visibilityState === 'visible' && isRoomy()
  const isSeen = () => {
    // Reading also counts before the page has the focus.
    const isReadThrough = parts !== undefined && isWhole(parts.around) && parts.isRead()
    return (
      isShown() && (targets.every(isWhole) || isReadThrough) && (!needsFocus || document.hasFocus())
    )
  }
  const state = (): GuardState => {
    if (!proven) return 'unproven'
    if (since === undefined || !isSeen()) return 'covered'
    return now() - since >= settleMs ? 'open' : 'settling'
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const update = () => {
    since = proven && isSeen() ? (since ?? now()) : undefined
    clearTimeout(timer)
    // A timer may fire slightly before the page's clock reaches that time.
    const leftMs = since === undefined ? 0 : settleMs - (now() - since)
    if (leftMs > 0) timer = setTimeout(update, leftMs + 1)
    const next = state()
    if (next === last) return
    last = next
    tell()
  }
  const handleEntries = (entries: readonly IntersectionObserverEntry[]) => {
    for (const entry of entries as readonly VisibilityEntry[]) {
      const whole = entry.isVisible === true && entry.intersectionRatio === 1
      visibility.set(entry.target, whole)
      // A loss between two good entries also counts.
      if (!whole) since = undefined
    }
    update()
    if (entries.length > 0) tell()
  }

  const observer = isObserved ? createObserver(window, handleEntries) : undefined
  const observe = () => {
    for (const target of watched) observer?.observe(target)
  }
  // A report for another size does not apply to this one, and the next report may be 100 ms away.
  const observeAgain = () => {
    if (observer) {
      observer.takeRecords()
      observer.disconnect()
      for (const target of watched) visibility.set(target, false)
      observe()
    }
    update()
  }
  const events = [
    [window, 'resize', observeAgain],
    [window, 'blur', update],
    [window, 'focus', update],
    [document, 'visibilitychange', update],
  ] as const
  observe()
  for (const [target, name, handle] of events) target.addEventListener(name, handle)
  // Scroll events of elements do not bubble, so this listens in the capture phase.
  document.addEventListener('scroll', update, true)
  update()
  return {
    state,
    check: () => {
      if (observer) handleEntries(observer.takeRecords())
      return state() === 'open'
    },
    sees: (target) => isShown() && isWhole(target),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => {
      observer?.disconnect()
      clearTimeout(timer)
      for (const [target, name, handle] of events) target.removeEventListener(name, handle)
      document.removeEventListener('scroll', update, true)
    },
  }
}

function createObserver(
  { IntersectionObserver }: Window & typeof globalThis,
  handleEntries: (entries: readonly IntersectionObserverEntry[]) => void,
): IntersectionObserver {
  const options = { threshold: thresholds, trackVisibility: true, delay: delayMs }
  return new IntersectionObserver(handleEntries, options as IntersectionObserverInit)
}
