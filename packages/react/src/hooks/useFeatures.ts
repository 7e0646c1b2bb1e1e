import type { Area, AreaState } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { areasQuery } from '../app/accountQueries.ts'
import { getQueryClient } from '../app/queries.ts'
import { useApp } from '../app/useApp.ts'
import { useNetwork } from './useNetwork.ts'

/** Which areas the server has for the selected network; undefined while that is not known. */
export function useFeatures(): Partial<Record<Area, AreaState>> | undefined {
  const app = useApp()
  const chainId = useNetwork().network.caipNetworkId
  return useQuery(areasQuery(app, { chainId }), getQueryClient(app)).data
}
