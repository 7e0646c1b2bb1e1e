import type { Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'

/** Whether a text is an address of a namespace: on eip155 with its checksum when the case is mixed. */
export const isAddress = (
  app: App,
  parameters: { address: string; namespace: Namespace },
): Promise<boolean> =>
  attempt(async () => (await app.chain(parameters.namespace)).isAddress(parameters.address.trim()))

/** An address as people compare it: on eip155 with its checksum (EIP-55). Throws INVALID_ADDRESS for what is none. */
export const formatAddress = (
  app: App,
  { address, namespace }: { address: string; namespace: Namespace },
): Promise<string> => attempt(async () => (await app.chain(namespace)).formatAddress(address))
