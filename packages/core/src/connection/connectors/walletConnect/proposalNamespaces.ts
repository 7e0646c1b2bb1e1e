import type { ProposalNamespaces } from '@latchkey/walletconnect'
import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
import { walletConnectMetadata } from '../../../namespaces/walletConnectMetadata.ts'

const events: readonly string[] = ['accountsChanged', 'chainChanged']

const legacyChainIds = (namespace: Namespace) =>
  walletConnectMetadata[namespace].legacyChainIds ?? []

/** The current id of a chain. */
export function toCurrentChainId(chainId: ChainId): ChainId {
  const ids = legacyChainIds(parseChainId(chainId).namespace)
  return ids.find(([, older]) => older === chainId)?.[0] ?? chainId
}

/**
 * The namespaces to propose to a wallet: everything the app's networks can use, all of it optional.
 */
export function getProposalNamespaces(
  networks: readonly { caipNetworkId: ChainId; chainNamespace: Namespace }[],
): ProposalNamespaces {
  const proposed: Record<string, { chains: string[]; methods: string[]; events: string[] }> = {}
  for (const { caipNetworkId, chainNamespace } of networks) {
    proposed[chainNamespace] ??= {
      chains: [],
      methods: [...walletConnectMetadata[chainNamespace].methods],
      events: [...events],
    }
    const ids = legacyChainIds(chainNamespace).find(([present]) => present === caipNetworkId)
    proposed[chainNamespace].chains.push(...(ids ?? [caipNetworkId]))
  }
  return proposed
}
