import type { ChainId, Namespace } from '@latchkey/wire'

/** A network the product knows (spec §3). */
export type Network = {
  id: number | string
  caipNetworkId: ChainId
  chainNamespace: Namespace
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Public endpoints of the network itself; the app's own RPC is used in their place unless it says otherwise. */
  rpcUrls: readonly string[]
  blockExplorer?: { name: string; url: string }
  contracts?: { multicall3?: `0x${string}` }
  testnet: boolean
  /** Image of the directory: `/public/getAssetImage/{imageId}`. */
  assets: { imageId: string }
}
