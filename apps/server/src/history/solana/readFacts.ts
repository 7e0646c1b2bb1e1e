import { isError } from '@latchkey/wire'
import {
  requestEachOfSolana,
  requestSolana,
  type SolanaNodes,
  type SolanaReply,
} from '../../solana/requestSolana.ts'
import { parseTransaction, type SolanaFacts } from './parseTransaction.ts'

const perRequest = 20
const options = {
  encoding: 'jsonParsed',
  commitment: 'confirmed',
  maxSupportedTransactionVersion: 0,
}

/**
 * Reads transactions from the point of view of `owner`, by signature. Transactions that the nodes
 * do not return, that are malformed or that do not concern the owner are absent. Throws
 * RPC_UNAVAILABLE if the nodes give no transaction at all.
 */
export async function readFacts(
  nodes: SolanaNodes,
  { owner, signatures }: { readonly owner: string; readonly signatures: readonly string[] },
): Promise<Map<string, SolanaFacts>> {
  const parts = Array.from({ length: Math.ceil(signatures.length / perRequest) }, (_, index) =>
    signatures.slice(index * perRequest, (index + 1) * perRequest),
  )
  const read = await Promise.all(parts.map((part) => readPart(nodes, part)))
  const replies = new Map(read.flat())
  const isAnswered = [...replies.values()].some((reply) => 'result' in reply)
  // Are these transactions at fault, or the nodes?
  if (!isAnswered && signatures.length > 0) await requestSolana(nodes, [toCall(unknownSignature)])
  const found = new Map<string, SolanaFacts>()
  for (const [signature, reply] of replies) {
    const facts = 'result' in reply && parseTransaction(reply.result, { owner, signature })
    if (facts) found.set(signature, facts)
  }
  return found
}

/** A signature that no transaction has. */
const unknownSignature = '1'.repeat(64)

const toCall = (signature: string) => ({ method: 'getTransaction', params: [signature, options] })

/**
 * The replies by signature; none for a part that no node answers in time, so that the other parts
 * are shown.
 */
async function readPart(
  nodes: SolanaNodes,
  signatures: readonly string[],
): Promise<(readonly [string, SolanaReply])[]> {
  const unreadable: SolanaReply = { unreadable: true }
  const replies = await requestEachOfSolana(nodes, signatures.map(toCall)).catch(
    (error: unknown) => {
      if (!isError(error, 'RPC_UNAVAILABLE')) throw error
      return signatures.map(() => unreadable)
    },
  )
  return signatures.map((signature, index) => [signature, replies[index] ?? unreadable] as const)
}
