import type { ChainId } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** A name and whom it stands for now: no `address` when nobody. */
export type NamedAddress = { name: string; address?: string; imageUrl?: string }

/**
 * Asks the server whom a name stands for on a network; at most 5 minutes old unless `forceUpdate`. Throws HTTP_FAILED
 * with status 400 for what is no name, and what `callApi` throws.
 */
export const resolveName = (
  app: App,
  parameters: {
    name: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<NamedAddress> =>
  attempt(async () => (await import('./readName.ts')).readName(app, parameters))
