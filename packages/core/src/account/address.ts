import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'

/**
 * Whether a string is an address of a namespace, and of a network if `chainId` is given. A checksum
 * must be right if the address has one.
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
 * An address with its checksum, for people to compare. Throws INVALID_ADDRESS if the string is not
 * an address.
 */
export const formatAddress = (
  app: App,
  { address, namespace }: { address: string; namespace: Namespace },
): Promise<string> => attempt(async () => (await app.loadActions(namespace)).formatAddress(address))
