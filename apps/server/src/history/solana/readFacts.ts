import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { SolanaNodes } from '../../solana/requestSolana.ts'
import { parseTransaction, type SolanaFacts } from './parseTransaction.ts'

const perRequest = 20
const options = {
  encoding: 'jsonParsed',
  commitment: 'confirmed',
  maxSupportedTransactionVersion: 0,
}

/**
 * Reads transactions from the point of view of `owner`, by signature. Those that a node does not know, that are malformed
 * or that do not concern the owner are absent. Throws RPC_UNAVAILABLE if no node answers.
 */
export async function readFacts(
  nodes: SolanaNodes,
  { owner, signatures }: { readonly owner: string; readonly signatures: readonly string[] },
): Promise<Map<string, SolanaFacts>> {
  const parts = Array.from({ length: Math.ceil(signatures.length / perRequest) }, (_, index) =>
    signatures.slice(index * perRequest, (index + 1) * perRequest),
  )
  const found = await Promise.all(parts.map((part) => readPart(nodes, { owner, signatures: part })))
  return new Map(found.flat())
}

type Part = { readonly owner: string; readonly signatures: readonly string[] }

async function readPart(
  { upstreams, chainId }: SolanaNodes,
  { owner, signatures }: Part,
): Promise<[string, SolanaFacts][]> {
  const calls = signatures.map((signature) => ({
    method: 'getTransaction',
    params: JSON.stringify([signature, options]),
  }))
  const answer = await upstreams.read(chainId, calls)
  // Large transactions, which one alone may not be.
  if ('fault' in answer && answer.fault === 'tooLarge' && signatures.length > 1) {
    const middle = Math.ceil(signatures.length / 2)
    const halves = [signatures.slice(0, middle), signatures.slice(middle)]
    const read = halves.map((half) => readPart({ upstreams, chainId }, { owner, signatures: half }))
    return (await Promise.all(read)).flat()
  }
  if ('fault' in answer && answer.fault === 'tooLarge') return []
  if ('fault' in answer || answer.replies.every(({ error }) => error !== undefined))
    throw rpcUnavailable(chainId)
  return signatures.flatMap((signature, index): [string, SolanaFacts][] => {
    const facts = parseTransaction(answer.replies[index]?.result, { owner, signature })
    return facts === undefined ? [] : [[signature, facts]]
  })
}
