import { type App, getNames, suggestNames } from '@latchkey/core/internal'
import { queryOptions } from '@tanstack/react-query'
import { getQueryClient } from './queries.ts'

/** The names that an account owns. */
export const ownNamesQuery = (app: App, { address }: { address: string | undefined }) =>
  queryOptions({
    queryKey: ['latchkey', 'names', address],
    queryFn: ({ signal }) => getNames(app, { address: address ?? '', signal }),
    enabled: address !== undefined,
  })

/** The zone of new names, and the names available for the typed label. */
export const suggestionsQuery = (app: App, { label }: { label: string }) =>
  queryOptions({
    queryKey: ['latchkey', 'names', 'suggestions', label],
    queryFn: ({ signal }) => suggestNames(app, { label, signal }),
    // Other users may register a name meanwhile.
    staleTime: 0,
  })

/** Refetches the names of the account. */
export const refreshNames = (app: App): Promise<void> =>
  getQueryClient(app).invalidateQueries({ queryKey: ['latchkey', 'names'] })
