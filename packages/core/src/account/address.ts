import type { Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'

/** Whether a text is an address of a namespace, with the right checksum if it has one. */
export const isAddress = (
  app: App,
  parameters: { address: string; namespace: Namespace },
): Promise<boolean> =>
  attempt(async () =>
    (await app.loadActions(parameters.namespace)).isAddress(parameters.address.trim()),
  )

/** An address as people compare it, with its checksum. Throws INVALID_ADDRESS if the text is not an address. */
export const formatAddress = (
  app: App,
  { address, namespace }: { address: string; namespace: Namespace },
): Promise<string> => attempt(async () => (await app.loadActions(namespace)).formatAddress(address))
