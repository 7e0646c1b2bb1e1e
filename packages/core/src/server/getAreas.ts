import {
  type Area,
  type AreaState,
  areas,
  type ChainId,
  type SupportedChains,
  supportedChainsRoute,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { warnUnservedNetworks } from '../development/warnings.ts'
import { callRoute } from './callRoute.ts'

/**
 * The server's areas for a network, and their sources; a missing area is off. Empty if the server
 * has no node for the network.
 */
export type AreasOf = (chainId: ChainId) => Partial<Record<Area, AreaState>>

/** The server's supported areas. Fetched once per page; a failure is not cached. */
export async function getAreas(app: App): Promise<AreasOf> {
  app.runtime.supported ??= callRoute(app, { route: supportedChainsRoute })
  const pending = app.runtime.supported
  try {
    const supported = await pending
    if (process.env.NODE_ENV !== 'production') warnUnservedNetworks(app, { served: supported.http })
    return (chainId) => toAreas(supported, chainId)
  } catch (error) {
    if (app.runtime.supported === pending) app.runtime.supported = undefined
    throw error
  }
}

/**
 * Third-party servers list no areas. Then all areas except our own (faucet, names, orders) are on
 * if the server supports the network at all.
 */
function toAreas({ http, features }: SupportedChains, chainId: ChainId): ReturnType<AreasOf> {
  if (features) return features[chainId] ?? {}
  if (!http.includes(chainId)) return {}
  return Object.fromEntries(areas.map((area) => [area, { on: !ownAreas.has(area), source: '' }]))
}

const ownAreas = new Set<Area>(['faucet', 'names', 'onramp'])
