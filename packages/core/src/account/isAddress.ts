import type { Namespace } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** Whether a text is an address of a namespace: on eip155 with its checksum when the case is mixed. */
export const isAddress = (
  app: App,
  parameters: { address: string; namespace: Namespace },
): Promise<boolean> =>
  attempt(async () => (await app.chain(parameters.namespace)).isAddress(parameters.address.trim()))
