import { type ChainId, parseChainId } from '@latchkey/wire'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'

/** The CAIP-10 id that the server uses for a token. */
export function toSwapId(chainId: ChainId, address: string | undefined): string {
  const { nativeTokenAddress = '' } = namespaceMetadata[parseChainId(chainId).namespace]
  return `${chainId}:${(address ?? nativeTokenAddress).toLowerCase()}`
}

/** The address of a token of the server, undefined for the native currency. */
export function fromSwapId(chainId: ChainId, id: string): string | undefined {
  return id.toLowerCase() === toSwapId(chainId, undefined) ? undefined : id.split(':').at(-1)
}
