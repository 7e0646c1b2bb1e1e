import { type Capabilities, getCapabilities } from '@latchkey/core'
import type { ChainId } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useNetwork } from '../hooks/useNetwork.ts'
import { areasQuery } from './queries/accountQueries.ts'
import { getQueryClient } from './queries/queries.ts'
import { useApp } from './useApp.ts'
import { useAppState } from './useAppState.ts'

/** The features available now on a network; by default, on the selected network. */
export function useAppCapabilities(network?: ChainId): Capabilities {
  const app = useApp()
  const selected = useNetwork().network.caipNetworkId
  const chainId = network ?? selected
  const { data: areas } = useQuery(areasQuery(app, { chainId }), getQueryClient(app))
  useAppState(({ connections }) => connections)
  return getCapabilities(app, { chainId, areas })
}
