import { approvalSize } from '@latchkey/wire'

/**
 * Whether the user can approve now. `unproven`: this browser cannot tell whether something covers the frame.
 * `covered`: something does, or the frame is too small or hidden. `settling`: fully visible, but not long enough
 * yet. `open`: the user can approve.
 */
export type GateState = 'unproven' | 'covered' | 'settling' | 'open'

export type Gate = {
  state(): GateState
  /**
   * Processes the browser's pending observations, then returns whether the gate is open. Call it when the user
   * presses and again before acting.
   */
  check(): boolean
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
 * Observes that all `targets` are fully visible according to the browser, while the page is visible, large enough
 * and focused. The gate starts closed, and any loss restarts the wait. A first-party window (`isTop`), which no page
 * can cover, needs no report from the browser.
 */
export function createGate(parameters: {
  window: Window & typeof globalThis
  targets: readonly Element[]
  isTop: boolean
  now: () => number
  /** The minimum size of the window, CSS px. */
  minSize?: { readonly width: number; readonly height: number }
  /** Trusts the page's own visibility in a browser that cannot report what covers it. */
  trusting?: boolean
}): Gate {
  const { window, targets, isTop, now, minSize = approvalSize, trusting = false } = parameters
  const { document } = window
  const listeners = new Set<() => void>()
  const isObserved = !isTop && canVerifyVisibility(window)
  const proven = isTop || isObserved || trusting
  // Without a report on what covers the page, only the wait applies: some browsers do not tell a frame that it has the focus.
  const needsFocus = isTop || isObserved
  const visibility = new Map<Element, boolean>(targets.map((target) => [target, !isObserved]))
  let since: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: GateState | undefined

  const isRoomy = () => window.innerWidth >= minSize.width && window.innerHeight >= minSize.height
  const isSeen = () =>
    document.visibilityState === 'visible' &&
    isRoomy() &&
    (!needsFocus || document.hasFocus()) &&
    targets.every((target) => target.isConnected && visibility.get(target) === true)
  const state = (): GateState => {
    if (!proven) return 'unproven'
    if (since === undefined || !isSeen()) return 'covered'
    return now() - since >= settleMs ? 'open' : 'settling'
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
    for (const listener of listeners) listener()
  }
  const handleEntries = (entries: readonly IntersectionObserverEntry[]) => {
    for (const entry of entries as readonly VisibilityEntry[]) {
      const whole = entry.isVisible === true && entry.intersectionRatio === 1
      visibility.set(entry.target, whole)
      // A loss between two good entries also counts.
      if (!whole) since = undefined
    }
    update()
  }

  const observer = isObserved ? observe(window, targets, handleEntries) : undefined
  const events = [
    [window, 'resize'],
    [window, 'blur'],
    [window, 'focus'],
    [document, 'visibilitychange'],
  ] as const
  for (const [target, name] of events) target.addEventListener(name, update)
  update()
  return {
    state,
    check: () => {
      if (observer) handleEntries(observer.takeRecords())
      return state() === 'open'
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => {
      observer?.disconnect()
      clearTimeout(timer)
      for (const [target, name] of events) target.removeEventListener(name, update)
    },
  }
}

function observe(
  { IntersectionObserver }: Window & typeof globalThis,
  targets: readonly Element[],
  handleEntries: (entries: readonly IntersectionObserverEntry[]) => void,
): IntersectionObserver {
  const options = { threshold: thresholds, trackVisibility: true, delay: delayMs }
  const observer = new IntersectionObserver(handleEntries, options as IntersectionObserverInit)
  for (const target of targets) observer.observe(target)
  return observer
}
