import { cleanText, type Namespace, namespaces } from '@latchkey/wire'

/** An account that the visitor watches without its keys, and the name by which it was added. */
export type Watched = {
  readonly namespace: Namespace
  readonly address: string
  readonly name?: string
}

/** The most watched accounts: each is read again every half minute. */
export const maxWatched = 20

const storageKey = 'latchkey.web.watched'
/** The longest address of any namespace, with room to spare. */
const maxAddress = 128
const maxName = 255

/** The watched accounts of this browser, in the order in which they were added. */
export function readWatched(): readonly Watched[] {
  const stored = readText()
  if (stored === last.stored) return last.watched
  last = { stored, watched: parse(stored) }
  return last.watched
}

// React compares what a store returns by identity.
let last: { stored: string | null; watched: readonly Watched[] } = { stored: null, watched: [] }

function readText(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Keeps what is valid; a page of another version may have stored something else. */
function parse(stored: string | null): readonly Watched[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.filter(isWatched).slice(0, maxWatched) : []
  } catch {
    return []
  }
}

function isWatched(value: unknown): value is Watched {
  const { namespace, address, name } = (value ?? {}) as Partial<Watched>
  return (
    (name === undefined || cleanText(name, { maxLength: maxName }) === name) &&
    namespaces.some((one) => one === namespace) &&
    typeof address === 'string' &&
    new RegExp(`^[0-9A-Za-z]{1,${maxAddress}}$`).test(address)
  )
}

/** Watches an account; once only, and in no other place of the list if it is there already. */
export function watch(account: Watched): void {
  const others = readWatched()
  if (others.some((one) => isSame(one, account)) || others.length >= maxWatched) return
  const { namespace, address, name } = account
  write([...others, { namespace, address, ...(name !== undefined && { name }) }])
}

/** Stops watching an account. */
export const unwatch = (account: Watched): void =>
  write(readWatched().filter((one) => !isSame(one, account)))

const isSame = (one: Watched, other: Watched) =>
  one.namespace === other.namespace && one.address === other.address

/** Throws the browser's error if it stores nothing. */
function write(watched: readonly Watched[]) {
  localStorage.setItem(storageKey, JSON.stringify(watched))
  window.dispatchEvent(new Event(changed))
}

// The browser reports only changes by other tabs; this event reports ours.
const changed = 'latchkey:watched'

/** Calls a listener after each change, also by another tab. Returns a function that stops it. */
export function subscribeWatched(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  window.addEventListener(changed, listener)
  return () => {
    window.removeEventListener('storage', listener)
    window.removeEventListener(changed, listener)
  }
}
