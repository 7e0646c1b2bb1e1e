import { approvalSize } from '@latchkey/wire'

/**
 * Whether an approval can be given now. `unproven`: this browser cannot say whether something covers the frame; `covered`:
 * something does, or it is too small or hidden; `settling`: seen in full, not long enough; `open`.
 */
export type GateState = 'unproven' | 'covered' | 'settling' | 'open'

export type Gate = {
  state(): GateState
  /** Asks the browser for what it has not told yet, then says whether it is open: for the moment of pressing and of doing. */
  check(): boolean
  subscribe(listener: () => void): () => void
  stop(): void
}

const settleMs = 800
// The least a browser allows with trackVisibility.
const delayMs = 100
const thresholds = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1]

type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Whether this browser tells what is really seen (IntersectionObserver v2). */
export const canVerifyVisibility = (window: Window & typeof globalThis): boolean =>
  'IntersectionObserverEntry' in window && 'isVisible' in window.IntersectionObserverEntry.prototype

/**
 * Watches that every one of `targets` is seen in full, by the browser's own word, while the page is visible, large enough and
 * has the focus: a person who is elsewhere does not look. Closed at first; any loss begins anew. A first-party window (`isTop`),
 * over which no page can draw, needs no word of the browser.
 */
export function createGate(parameters: {
  window: Window & typeof globalThis
  targets: readonly Element[]
  isTop: boolean
  now: () => number
  /** The least size of the window, CSS px. */
  minSize?: { readonly width: number; readonly height: number }
}): Gate {
  const { window, targets, isTop, now, minSize = approvalSize } = parameters
  const { document } = window
  const listeners = new Set<() => void>()
  const visibility = new Map<Element, boolean>(targets.map((target) => [target, isTop]))
  const proven = isTop || canVerifyVisibility(window)
  let since: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: GateState | undefined

  const isRoomy = () => window.innerWidth >= minSize.width && window.innerHeight >= minSize.height
  const isSeen = () =>
    document.visibilityState === 'visible' &&
    isRoomy() &&
    document.hasFocus() &&
    targets.every((target) => target.isConnected && visibility.get(target) === true)
  const state = (): GateState => {
    if (!proven) return 'unproven'
    if (since === undefined || !isSeen()) return 'covered'
    return now() - since >= settleMs ? 'open' : 'settling'
  }
  const update = () => {
    const before = since
    since = proven && isSeen() ? (since ?? now()) : undefined
    if (since !== before) clearTimeout(timer)
    if (since !== undefined && before === undefined) timer = setTimeout(update, settleMs + 1)
    const next = state()
    if (next === last) return
    last = next
    for (const listener of listeners) listener()
  }
  const handleEntries = (entries: readonly IntersectionObserverEntry[]) => {
    for (const entry of entries as readonly VisibilityEntry[]) {
      const whole = entry.isVisible === true && entry.intersectionRatio === 1
      visibility.set(entry.target, whole)
      // A loss between two good entries counts too.
      if (!whole) since = undefined
    }
    update()
  }

  const observer = isTop || !proven ? undefined : observe(window, targets, handleEntries)
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
