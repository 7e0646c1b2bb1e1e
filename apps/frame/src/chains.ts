import { type FramePageFacts, LatchkeyError } from '@latchkey/wire'

/** A network of the frame. Its data comes from our server, never from the host page. */
export type FrameChain = {
  /** CAIP-2. */
  readonly id: string
  readonly namespace: 'eip155' | 'solana'
  readonly reference: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** Set if the network has smart accounts; the sponsor pays for some of their operations. */
  readonly smartAccounts?: FramePageFacts['chains'][number]['smartAccounts']
}

/** The networks of this frame, in the server's order. */
export function parseChains({ chains }: Pick<FramePageFacts, 'chains'>): FrameChain[] {
  return chains.flatMap(({ id, name, symbol, decimals, smartAccounts }) => {
    const [namespace, reference = ''] = id.split(':')
    if (namespace !== 'eip155' && namespace !== 'solana') return []
    const evm = namespace === 'eip155'
    return [
      {
        id,
        namespace,
        reference,
        name: name ?? id,
        symbol: symbol ?? (evm ? 'ETH' : 'SOL'),
        decimals: decimals ?? (evm ? 18 : 9),
        ...(evm && smartAccounts && { smartAccounts }),
      },
    ]
  })
}

/**
 * Finds a network by id: a number or its decimal string for eip155, else CAIP-2. Throws
 * CHAIN_NOT_SUPPORTED.
 */
export function findFrameChain(chains: readonly FrameChain[], id: string | number): FrameChain {
  const caipId = typeof id === 'number' || /^\d+$/.test(id) ? `eip155:${id}` : id
  const found = chains.find((chain) => chain.id === caipId)
  if (!found) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  return found
}

/** The id as the host expects it: a number for eip155, CAIP-2 otherwise. */
export const hostChainId = ({ id, namespace, reference }: FrameChain): string | number =>
  namespace === 'eip155' ? Number(reference) : id
