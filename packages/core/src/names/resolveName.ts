import { type ChainId, nameAddressRoute, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { serverImageUrl } from '../server/imageUrl.ts'
import { readCached } from '../server/readCached.ts'

/** A name and its current address; no `address` if it does not resolve. */
export type NamedAddress = { name: string; address?: string; imageUrl?: string }

/**
 * Resolves a name to its address on a network, through the server; at most 5 minutes old unless
 * `forceUpdate`. Throws HTTP_FAILED with status 400 if the string is not a name, and the errors of
 * `callRoute`.
 */
export async function resolveName(
  app: App,
  parameters: {
    name: string
    chainId: ChainId
    forceUpdate?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<NamedAddress> {
  const { chainId, forceUpdate, signal } = parameters
  const wantedName = parameters.name.trim().toLowerCase()
  const { name, address, avatar } = await readCached(app, {
    key: `name ${chainId}:${wantedName}`,
    schema: nameAddressRoute.result,
    work: () =>
      callRoute(app, {
        route: nameAddressRoute,
        params: { name: wantedName },
        query: { chainId, forceUpdate: forceUpdate ? 'true' : undefined },
      }),
    forceUpdate,
    signal,
  })
  const actions = await app.loadActions(parseChainId(chainId).namespace)
  if (!address || !actions.isAddress(address)) return { name }
  const imageUrl = serverImageUrl(app, avatar)
  return { name, address, ...(imageUrl && { imageUrl }) }
}
