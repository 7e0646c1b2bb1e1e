import { type App, getNotes, type Notes, saveNote } from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../queries/queries.ts'
import { useApp } from '../useApp.ts'

const notesQuery = (app: App) =>
  queryOptions({
    queryKey: ['latchkey', 'notes'],
    queryFn: () => getNotes(app),
    staleTime: Number.POSITIVE_INFINITY,
  })

const noNotes: Notes = new Map()

/** The user's notes about transactions, which this browser keeps. */
export function useNotes(): Notes {
  const app = useApp()
  return useQuery(notesQuery(app), getQueryClient(app)).data ?? noNotes
}

/** Saves the note about a transaction, and shows it in the lists. */
export function writeNote(
  app: App,
  parameters: { transaction: HistoryTransaction; note: string },
): void {
  getQueryClient(app).setQueryData(notesQuery(app).queryKey, saveNote(app, parameters))
}
