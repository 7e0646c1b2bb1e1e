import { type ChainId, type Fungible, fungiblePriceRoute, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { callRoute } from '../server/callRoute.ts'

/**
 * The name, symbol, decimals and price in dollars of a token, or without an `address` of the
 * network's native currency. A contract can have any name. Undefined in a namespace for which the
 * server has no prices. Throws the errors of `callRoute`.
 */
export async function getToken(
  app: App,
  parameters: {
    chainId: ChainId
    /** The contract. */
    address?: string | undefined
    signal?: AbortSignal | undefined
  },
): Promise<Fungible | undefined> {
  const { chainId, signal } = parameters
  const { nativeTokenAddress } = namespaceMetadata[parseChainId(chainId).namespace]
  if (nativeTokenAddress === undefined) return undefined
  const addresses = [`${chainId}:${parameters.address ?? nativeTokenAddress}`]
  const { fungibles } = await callRoute(app, {
    route: fungiblePriceRoute,
    body: { projectId: app.config.projectId, currency: 'usd', addresses },
    signal,
  })
  return fungibles[0]
}
