import {
  type Area,
  type AreaState,
  areas,
  type ChainId,
  type SupportedChains,
  supportedChains,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callApi } from './callApi.ts'

/**
 * Which areas the server has for a network, and from where; an area that is missing is off. None at
 * all where it has no node of the network.
 */
export type AreasOf = (chainId: ChainId) => Partial<Record<Area, AreaState>>

/** The table of what the server has. It is asked for once a page; a failure is not kept. */
export async function getAreas(app: App): Promise<AreasOf> {
  app.work.supported ??= callApi(app, { route: supportedChains })
  const pending = app.work.supported
  try {
    const supported = await pending
    return (chainId) => toAreas(supported, chainId)
  } catch (error) {
    if (app.work.supported === pending) app.work.supported = undefined
    throw error
  }
}

/**
 * Servers of others name no areas: then all but our own faucet, names and orders are on where they
 * answer for the network at all.
 */
function toAreas({ http, features }: SupportedChains, chainId: ChainId): ReturnType<AreasOf> {
  if (features) return features[chainId] ?? {}
  if (!http.includes(chainId)) return {}
  return Object.fromEntries(areas.map((area) => [area, { on: !ownAreas.has(area), source: '' }]))
}

const ownAreas = new Set<Area>(['faucet', 'names', 'onramp'])
