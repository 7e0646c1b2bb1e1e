import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import type { Network } from '../networks.ts'

/**
 * The explorer page of an account or a transaction; undefined if the network has no explorer on
 * https.
 */
export function explorerUrl(
  { blockExplorer, chainNamespace }: Network,
  target: { address: string } | { hash: string },
): string | undefined {
  if (!blockExplorer || !/^https:\/\//.test(blockExplorer.url)) return undefined
  const { explorerPath = 'address' } = namespaceMetadata[chainNamespace]
  const path = 'hash' in target ? `tx/${target.hash}` : `${explorerPath}/${target.address}`
  const { url, query } = blockExplorer
  return `${url}/${path}${query ? `?${query}` : ''}`
}
