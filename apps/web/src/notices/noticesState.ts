/** The state that this browser stores while notices are on. */
type NoticesState = {
  /** When they were turned on: nothing older is reported. */
  readonly sinceMs: number
  /** When a tab last read something for them. */
  readonly readAtMs: number
  /** When a tab searches for old allowances again. */
  readonly allowancesAtMs: number
  /** The ids of transactions that were reported, newest first, by account. */
  readonly seen: Readonly<Record<string, readonly string[]>>
}

/** A browser either shows notices, or it refuses to, or it cannot. */
export type NoticesStatus = 'off' | 'on' | 'blocked' | 'unsupported'

const storageKey = 'latchkey.web.notices'
/** A page of the server's list has at most 50 transactions. */
const maxSeen = 100
const maxAccounts = 20
const secondMs = 1_000

/** The stored state; undefined while notices are off. */
export function readNotices(): NoticesState | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    return isState(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isState(value: unknown): value is NoticesState {
  const { sinceMs, readAtMs, allowancesAtMs, seen } = (value ?? {}) as Partial<NoticesState>
  return (
    [sinceMs, readAtMs, allowancesAtMs].every(Number.isFinite) &&
    typeof seen === 'object' &&
    seen !== null &&
    Object.values(seen).every((ids) => Array.isArray(ids))
  )
}

/** Stores a change, unless notices were turned off meanwhile. */
export function changeNotices(change: Partial<NoticesState>): void {
  const state = readNotices()
  if (state) write({ ...state, ...change })
}

/** Adds reported transactions of an account, and drops the oldest ones. */
export function addSeen(account: string, ids: readonly string[]): void {
  const { [account]: own = [], ...others } = readNotices()?.seen ?? {}
  const kept = Object.entries(others).slice(0, maxAccounts - 1)
  const all = [...new Set([...ids, ...own])].slice(0, maxSeen)
  changeNotices({ seen: { [account]: all, ...Object.fromEntries(kept) } })
}

/** Asks for the browser's permission, and turns notices on if the user grants it. */
export async function turnOnNotices(): Promise<void> {
  const permission = await Notification.requestPermission()
  // The time of a block is in whole seconds.
  const sinceMs = Math.floor(Date.now() / secondMs) * secondMs
  try {
    if (permission === 'granted') write({ sinceMs, readAtMs: 0, allowancesAtMs: 0, seen: {} })
  } catch {
    // A browser that stores nothing leaves them off.
  }
  announce()
}

/** Turns notices off, and removes all that was stored for them. */
export function turnOffNotices(): void {
  localStorage.removeItem(storageKey)
  announce()
}

/** Whether notices are on in this browser, or why they cannot be. */
export function getNoticesStatus(): NoticesStatus {
  if (!isSecureContext || !('Notification' in window) || !('locks' in navigator))
    return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readNotices() ? 'on' : 'off'
}

const write = (state: NoticesState) => localStorage.setItem(storageKey, JSON.stringify(state))

// The browser reports only changes by other tabs; this event reports ours.
const changed = 'latchkey:notices'
const announce = () => window.dispatchEvent(new Event(changed))

/** Calls a listener after each change, also by another tab. Returns a function that stops it. */
export function subscribeNotices(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  window.addEventListener(changed, listener)
  return () => {
    window.removeEventListener('storage', listener)
    window.removeEventListener(changed, listener)
  }
}
