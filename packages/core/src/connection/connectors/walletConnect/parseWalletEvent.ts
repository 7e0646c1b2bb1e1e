import type { ChainId, Namespace } from '@latchkey/wire'
import { namespaceMetadata } from '../../../namespaces/namespaceMetadata.ts'
import { toCurrentChainId } from './proposalNamespaces.ts'

/** The current id of a chain that a wallet names. */
export function parseEventChain(value: unknown, namespace: Namespace): ChainId | undefined {
  const chainId = namespaceMetadata[namespace].parseChainId(value)
  return chainId && toCurrentChainId(chainId)
}

/** Addresses in the formats that wallets use, plain or CAIP-10; anything else is ignored. */
export function parseEventAddresses(value: unknown, namespace: Namespace): string[] {
  if (!Array.isArray(value)) return []
  return (value as unknown[]).flatMap((entry) => {
    if (typeof entry !== 'string') return []
    const parts = entry.split(':')
    if (parts.length === 3 && parts[0] !== namespace) return []
    const address = parts.length === 3 ? (parts[2] ?? '') : entry
    return namespaceMetadata[namespace].isAddress(address) ? [address] : []
  })
}
