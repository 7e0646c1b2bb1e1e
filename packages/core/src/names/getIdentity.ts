import type { ChainId } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'
import type { Profile } from '../state.ts'

/**
 * The name and picture that an account shows itself by on a network, kept in the state's `profiles`; at most 5 minutes
 * old. Empty where it has none or the network has no names.
 */
export const getIdentity = (
  app: App,
  parameters: { address: string; chainId: ChainId; signal?: AbortSignal | undefined },
): Promise<Profile> =>
  attempt(async () => (await import('./readIdentity.ts')).readIdentity(app, parameters))
