import type { ClientStorage, DappEvents, WalletEvents } from './client.ts'
import type { ProtocolError } from './codes.ts'
import { openTable } from './records.ts'
import { array, nonNegative, object, string, unknown } from './shape.ts'

/**
 * A proposal that ended without a session, which tabs report to each other in addition to events.
 * No `reason` if it expired.
 */
type ProposalEnd = { pairingTopic: string; reason?: ProtocolError }

/** Events of both roles. */
type Events = DappEvents & WalletEvents & { offer_end: ProposalEnd }

/**
 * Delivers each event once in every tab: the tab where something happens writes it to the storage,
 * and the others read it there. `key` identifies what happened, so that two tabs that notice it at
 * the same time report it once.
 */
export type Journal = {
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  /** Whether this tab has listeners. */
  isHeard(name: keyof Events): boolean
  /** Emits an event in this tab only. */
  emitHere<Name extends keyof Events>(name: Name, event: Events[Name]): void
  /** Emits an event in every tab. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name], key: string | number): void
  /** Emits an event in the other tabs only. */
  emitElsewhere<Name extends keyof Events>(
    name: Name,
    event: Events[Name],
    key: string | number,
  ): void
  /** Emits the events that other tabs have written meanwhile. */
  catchUp(): void
}

const page = object({
  last: nonNegative,
  entries: array(object({ at: nonNegative, key: string, name: string, event: unknown })),
})
const maxEntries = 50
const maxLength = 262_144
const maxDelivered = 500

export function openJournal(storage: ClientStorage): Journal {
  const table = openTable(storage, 'journal', page)
  const read = () => table.get('') ?? { last: 0, entries: [] }
  const listeners = new Map<string, Set<(event: never) => void>>()
  const delivered = new Set<string>()
  let last = read().last

  const emitHere = (name: string, event: unknown) => {
    for (const listener of [...(listeners.get(name) ?? [])]) {
      try {
        listener(event as never)
      } catch (error) {
        // Our work continues; the error of the page's listener is reported like any uncaught error.
        globalThis.reportError?.(error)
      }
    }
  }
  const isNew = (key: string) => {
    if (delivered.has(key)) return false
    delivered.add(key)
    for (const oldest of delivered) if (delivered.size > maxDelivered) delivered.delete(oldest)
    return true
  }
  const catchUp = () => {
    const { last: latest, entries } = read()
    // The storage was cleared.
    if (latest < last) last = 0
    const news = entries.filter(({ at }) => at > last)
    last = latest
    for (const { key, name, event } of news) if (isNew(key)) emitHere(name, event)
  }
  const write = (name: string, event: unknown, key: string) => {
    catchUp()
    const { last: latest, entries } = read()
    last = latest + 1
    const newest = [...entries, { at: last, key, name, event }].slice(-maxEntries)
    while (newest.length > 0 && JSON.stringify(newest).length > maxLength) newest.shift()
    try {
      table.set('', { last, entries: newest })
    } catch {
      // If the storage is full, only the other tabs miss an event.
    }
  }
  return {
    emitHere,
    catchUp,
    isHeard: (name) => !!listeners.get(name)?.size,
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
    emit(name, event, key) {
      const full = `${name}/${key}`
      if (!isNew(full)) return
      write(name, event, full)
      emitHere(name, event)
    },
    emitElsewhere(name, event, key) {
      const full = `${name}/${key}`
      if (isNew(full)) write(name, event, full)
    },
  }
}
