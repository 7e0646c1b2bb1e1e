import { type App, getSocials } from '@latchkey/core/internal'
import { providerNames, type SocialProvider } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { type Queries, useLazyQuery } from '../../app/useLazyQuery.ts'

/** How long the list stays fresh: it changes only with the server's configuration. */
const LIFETIME_MS = 5 * 60_000

const getQuery = (_: Queries, app: App) => ({
  queryKey: ['latchkey', 'socials'],
  queryFn: ({ signal }: { signal: AbortSignal }) => getSocials(app, { signal }),
  staleTime: LIFETIME_MS,
})

/**
 * The providers of social login; undefined until the server has responded, unless the app names
 * them. Empty without a login, and if the server was not reached.
 */
export function useSocials(): readonly SocialProvider[] | undefined {
  const app = useApp()
  const { socials } = app.config.login
  const hasLogin = useAppState((state) => state.connectors.some(({ traits }) => traits?.hasLogin))
  const isOpen = useAppState((state) => state.modal.open)
  const isWanted = hasLogin && socials?.length !== 0
  const { result, hasFailed } = useLazyQuery({
    getOptions: isWanted ? getQuery : undefined,
    enabled: isOpen,
  })
  if (!isWanted || hasFailed || result?.isError) return []
  return result?.data ?? socials?.filter((provider) => provider in providerNames)
}
