import type { RegisteredChainId } from '@latchkey/core'
import type { Namespace } from '@latchkey/wire'

/** TanStack Query's options that a data hook passes on. Times are in ms. */
export type QueryControl = {
  enabled?: boolean
  staleTime?: number
  gcTime?: number
  refetchInterval?: number | false
  refetchOnMount?: boolean | 'always'
  refetchOnReconnect?: boolean | 'always'
  refetchOnWindowFocus?: boolean | 'always'
  retry?: boolean | number
}

/** The options of all data hooks. */
export type DataOptions = {
  /** The namespace whose connected account is read; by default the selected network's namespace. */
  namespace?: Namespace | undefined
  /** Another address than the connected account's. */
  address?: string | undefined
  /** CAIP-2 id of a network of the app; by default the namespace's current network. */
  chainId?: RegisteredChainId | undefined
  query?: QueryControl
}
