import { cleanText, type HistoryTransaction } from '@latchkey/wire'
import type { App } from '../app.ts'

/** The user's notes about transactions, by {@link getNoteKey}, the latest last. */
export type Notes = ReadonlyMap<string, string>

/** How many characters a note may have. */
export const maxNoteLength = 200
/** How many notes are kept. */
const maxNotes = 500

/** The key of a transaction's note: its network and hash, or its id if it has no hash. */
export const getNoteKey = ({ id, metadata: { chain, hash } }: HistoryTransaction): string =>
  hash === '' ? id : `${chain}:${hash}`

/** The notes of this browser, which leave it only in an export. */
export const getNotes = ({ storage }: App): Notes =>
  new Map(Object.entries(storage.get('activityNotes') ?? {}))

/**
 * Saves the note about a transaction, cleaned to one line; an empty note is removed. Beyond 500
 * notes, the oldest notes are dropped. Returns all notes.
 */
export function saveNote(
  app: App,
  { transaction, note }: { transaction: HistoryTransaction; note: string },
): Notes {
  const key = getNoteKey(transaction)
  const others = [...getNotes(app)].filter(([other]) => other !== key)
  const cleaned = cleanText(note, { maxLength: maxNoteLength })
  const own = cleaned === null ? [] : [[key, cleaned] as const]
  const kept = [...others, ...own].slice(-maxNotes)
  app.storage.set('activityNotes', Object.fromEntries(kept))
  return new Map(kept)
}
