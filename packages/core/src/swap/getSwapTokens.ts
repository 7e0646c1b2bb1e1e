import { type ChainId, convertTokensRoute, fungiblePriceRoute, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { SwapToken } from '../modal/views.ts'
import { hasAddressForm } from '../namespaces/namespaceMetadata.ts'
import { callRoute } from '../server/callRoute.ts'
import { fromSwapId, toSwapId } from './swapId.ts'

export const maxDecimals = 77

/**
 * The tokens that can be swapped on a network, native currency first; with `address`, at most that
 * token, listed or not. Throws SWAP_UNSUPPORTED and the errors of `callRoute`.
 */
export async function getSwapTokens(
  app: App,
  parameters: { chainId: ChainId; address?: string; signal?: AbortSignal | undefined },
): Promise<readonly SwapToken[]> {
  const { chainId, address, signal } = parameters
  const { namespace } = parseChainId(chainId)
  const { tokens } = await callRoute(app, {
    route: convertTokensRoute,
    query: { chainId, address: address && toSwapId(chainId, address) },
    signal,
  })
  return tokens.flatMap(({ name, symbol, decimals, logoUri, address: id }) => {
    const own = fromSwapId(chainId, id)
    const isWhole = Number.isInteger(decimals) && decimals >= 0 && decimals <= maxDecimals
    const isAsked = !address || own?.toLowerCase() === address.toLowerCase()
    if (!isWhole || !isAsked || (own !== undefined && !hasAddressForm({ namespace, text: own })))
      return []
    const token = { name, symbol, decimals, iconUrl: logoUri ?? '' }
    return [own === undefined ? token : { ...token, address: own }]
  })
}

/**
 * Prices of tokens in dollars, in the order of the tokens; undefined if unknown. Throws the errors
 * of `callRoute`.
 */
export async function getSwapPrices(
  app: App,
  parameters: {
    chainId: ChainId
    tokens: readonly { address?: string }[]
    signal?: AbortSignal | undefined
  },
): Promise<readonly (number | undefined)[]> {
  const { chainId, tokens, signal } = parameters
  const addresses = tokens.map(({ address }) => toSwapId(chainId, address))
  const { fungibles } = await callRoute(app, {
    route: fungiblePriceRoute,
    body: { projectId: app.config.projectId, currency: 'usd', addresses },
    signal,
  })
  return addresses.map(
    (wanted) => fungibles.find(({ address }) => address.toLowerCase() === wanted)?.price,
  )
}
