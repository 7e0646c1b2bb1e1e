import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'

/**
 * Whether a text is an address of a namespace, and of a network where one is given, with the right
 * checksum if it has one.
 */
export const isAddress = (
  app: App,
  parameters: { address: string; namespace: Namespace; chainId?: ChainId },
): Promise<boolean> =>
  attempt(async () => {
    const { address, namespace, chainId } = parameters
    return (await app.loadActions(namespace)).isAddress(address.trim(), chainId)
  })

/**
 * An address as people compare it, with its checksum. Throws INVALID_ADDRESS if the text is not an
 * address.
 */
export const formatAddress = (
  app: App,
  { address, namespace }: { address: string; namespace: Namespace },
): Promise<string> => attempt(async () => (await app.loadActions(namespace)).formatAddress(address))
