import type { Namespace } from '@latchkey/wire'
import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/** An address as people compare it: on eip155 with its checksum (EIP-55). Throws INVALID_ADDRESS for what is none. */
export const formatAddress = (
  app: App,
  { address, namespace }: { address: string; namespace: Namespace },
): Promise<string> => attempt(async () => (await app.chain(namespace)).formatAddress(address))
