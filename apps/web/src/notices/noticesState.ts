/** The state that this browser stores while notices are on. */
type NoticesState = {
  /** When a tab last read something for them. */
  readonly readAtMs: number
  /** When a tab searches for old allowances again. */
  readonly allowancesAtMs: number
  /** The account whose allowances the last notice about them was for (CAIP-10). */
  readonly allowancesOf?: string
  /** How many times the activity of an account was read. Short visits continue the order. */
  readonly turns: number
  readonly accounts: Readonly<Record<string, NotedAccount>>
}

type NotedAccount = {
  /** When it was first connected here: nothing older is reported. */
  readonly sinceMs: number
  /** The ids of transactions that were reported, newest first. */
  readonly seen: readonly string[]
}

/** A browser either shows notices, or it refuses to, or it cannot. */
export type NoticesStatus = 'off' | 'on' | 'blocked' | 'unsupported'

const storageKey = 'latchkey.web.notices'
/** A page of the server's list has at most 100 transactions. */
const maxSeen = 200
const maxAccounts = 40
const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000

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
  const { readAtMs, allowancesAtMs, turns, accounts } = (value ?? {}) as Partial<NoticesState>
  return (
    [readAtMs, allowancesAtMs, turns].every(Number.isFinite) &&
    typeof accounts === 'object' &&
    accounts !== null &&
    Object.values(accounts).every(
      (one) => Number.isFinite(one?.sinceMs) && Array.isArray(one?.seen),
    )
  )
}

/** Stores a change, unless notices were turned off meanwhile. */
export function changeNotices(change: Partial<NoticesState>): void {
  const state = readNotices()
  if (state) write({ ...state, ...change })
}

/**
 * Takes the next turn: the search for old allowances if it is due, otherwise the number of the
 * account to read. A turn that fails does not come again at once.
 */
export function takeTurn(): 'allowances' | number | undefined {
  const state = readNotices()
  if (!state) return undefined
  const readAtMs = Date.now()
  const isDue = state.allowancesAtMs <= readAtMs
  changeNotices(
    isDue ? { readAtMs, allowancesAtMs: readAtMs + hourMs } : { readAtMs, turns: state.turns + 1 },
  )
  return isDue ? 'allowances' : state.turns
}

/** Notes when accounts are connected for the first time, and drops others if there are too many. */
export function noteAccounts(keys: readonly string[]): void {
  const known = readNotices()?.accounts ?? {}
  if (keys.every((key) => known[key])) return
  const fresh: NotedAccount = { sinceMs: getSecond(), seen: [] }
  const connected = keys.map((key) => [key, known[key] ?? fresh] as const)
  const others = Object.entries(known).filter(([key]) => !keys.includes(key))
  changeNotices({ accounts: Object.fromEntries([...connected, ...others].slice(0, maxAccounts)) })
}

/** The time of a block is in whole seconds. */
const getSecond = () => Math.floor(Date.now() / secondMs) * secondMs

/** Adds reported transactions of a noted account, and drops the oldest ones. */
export function addSeen(key: string, ids: readonly string[]): void {
  const accounts = readNotices()?.accounts ?? {}
  const own = accounts[key]
  if (!own) return
  const seen = [...new Set([...ids, ...own.seen])].slice(0, maxSeen)
  changeNotices({ accounts: { ...accounts, [key]: { ...own, seen } } })
}

/** Asks for the browser's permission, and turns notices on if the user grants it. */
export async function turnOnNotices(): Promise<void> {
  const permission = await Notification.requestPermission()
  // The accounts come first.
  const allowancesAtMs = Date.now() + minuteMs
  try {
    if (permission === 'granted') write({ readAtMs: 0, allowancesAtMs, turns: 0, accounts: {} })
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

// The user comes back with `focus` from the settings of the browser.
const changes = ['storage', 'focus', changed]

/** Calls a listener after each change, also by another tab. Returns a function that stops it. */
export function subscribeNotices(listener: () => void): () => void {
  for (const name of changes) window.addEventListener(name, listener)
  return () => {
    for (const name of changes) window.removeEventListener(name, listener)
  }
}
